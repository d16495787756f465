import { describe, expect, test } from 'vitest'
import {
  overlapping,
  subnetIpv4FieldProblem,
  subnetIpv6FieldProblem,
  vpcPrefixFieldProblem,
} from './vpc.rules.ts'

describe('blocks of a VPC', () => {
  const none = undefined
  test.each([
    ['fd12:3456:789a::/48', none],
    ['fd12:3456:789a::', 'Must contain an IP address and a width, separated by a /'],
    ['fd12:3456:789a::/x', 'Width must be an integer'],
    ['fd12:3456:789a::/129', 'Max width for IPv6 is 128'],
    ['10.0.0.0/8', 'Must be an IPv6 prefix'],
    ['2001:db8:1::/48', 'Must be a unique local address range, in fd00::/8'],
    ['fd12:3456:789a::/56', 'Width must be 48'],
    ['fd12:3456:789a:1::/48', 'Must have no host bits, as in fd12:3456:789a::/48'],
  ])('the prefix %s', (text, problem) => expect(vpcPrefixFieldProblem(text)).toBe(problem))

  test.each([
    ['10.1.0.0/16', none],
    ['192.168.7.0/26', none],
    ['10.1.0.0', 'Must contain an IP address and a width, separated by a /'],
    ['10.1.0.0/33', 'Max width for IPv4 is 32'],
    ['fd12::/64', 'Must be an IPv4 block'],
    ['10.1.2.3/16', 'Must have no host bits, as in 10.1.0.0/16'],
    ['8.8.8.0/24', 'VPC Subnet IPv4 address ranges must be from a private range'],
    ['10.1.0.0/27', 'VPC Subnet IPv4 address ranges must have prefix length between 8 and 26, inclusive'],
  ])('the IPv4 block %s of a subnet', (text, problem) => expect(subnetIpv4FieldProblem(text)).toBe(problem))

  test.each([
    ['fd12:3456:789a:7::/64', none],
    ['10.1.0.0/16', 'Must be an IPv6 block'],
    [
      'fd00::/64',
      "VPC Subnet IPv6 address range 'fd00::/64' is not valid for VPC with IPv6 prefix 'fd12:3456:789a::/48'",
    ],
  ])('the IPv6 block %s of a subnet', (text, problem) =>
    expect(subnetIpv6FieldProblem(text, 'fd12:3456:789a::/48')).toBe(problem),
  )

  test('an overlap names the other block', () => {
    const web = { name: 'web', blocks: ['10.0.0.0/16', 'fd00::/64'] }
    const taken = (text: string) => overlapping(text, [web], ({ blocks }) => blocks)
    expect(taken('10.0.200.0/24')).toEqual({ owner: web, block: '10.0.0.0/16' })
    expect(taken('10.0.0.0/8')).toEqual({ owner: web, block: '10.0.0.0/16' })
    expect(taken('fd00::/64')).toEqual({ owner: web, block: 'fd00::/64' })
    expect([taken('10.1.0.0/16'), taken('fd00:0:0:1::/64'), taken('nothing')]).toEqual([none, none, none])
  })
})
