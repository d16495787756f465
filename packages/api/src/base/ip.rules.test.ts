import { describe, expect, test } from 'vitest'
import {
  formatIp,
  formatIpNet,
  hasHostBits,
  ipNetProblem,
  ipProblem,
  isIp,
  isIpv4,
  isIpv6,
  netContains,
  netsOverlap,
  netWithin,
  parseIp,
  parseIpNet,
} from './ip.rules.ts'
import { transitIpsProblem } from '../network/network-interface.rules.ts'
import { subnetIpv4Problem, subnetIpv6Problem, vpcPrefixProblem } from '../network/vpc.rules.ts'

/** A seeded generator: the same cases every time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

test.each([
  ['10.0.0.1', true],
  ['0.0.0.0', true],
  ['255.255.255.255', true],
  ['010.0.0.1', false],
  ['1', false],
  ['1.2.3', false],
  ['1.2.3.4.5', false],
  ['256.0.0.1', false],
  ['0x10.0.0.1', false],
  ['10.0.0.1 ', false],
  ['10.0.0.+1', false],
  ['１.2.3.4', false],
  ['', false],
  ['::', true],
  ['fd00::1', true],
  ['::ffff:10.0.0.1', true],
  ['1:2:3:4:5:6:7::', true],
  ['fe80::1%eth0', false],
  ['1:2:3:4:5:6:7:8::', false],
  [':::', false],
  [':1', false],
  ['1::2::3', false],
  ['1:2:3:4:5:6:7', false],
  ['12345::', false],
  ['::10.0.0.1:1', false],
  ['[::1]', false],
])('%j is an address: %s', (text, expected) => {
  expect(isIp(text)).toBe(expected)
  expect(ipProblem(text)).toBe(expected ? undefined : 'Not a valid IP address')
})

test.each([
  ['10.0.0.0/8', undefined],
  ['10.0.0.1/8', undefined],
  ['0.0.0.0/0', undefined],
  ['::/0', undefined],
  ['10.0.0.0', 'Must contain an IP address and a width, separated by a /'],
  ['10.0.0.0/', 'Must contain an IP address and a width, separated by a /'],
  ['/8', 'Must contain an IP address and a width, separated by a /'],
  ['10.0.0.0/8/8', 'Must contain an IP address and a width, separated by a /'],
  ['10.0/8', 'Must contain an IP address and a width, separated by a /'],
  ['10.0.0.0/x', 'Width must be an integer'],
  ['10.0.0.0/-1', 'Width must be an integer'],
  ['10.0.0.0/8.0', 'Width must be an integer'],
  ['10.0.0.0/ 8', 'Width must be an integer'],
  ['10.0.0.0/33', 'Max width for IPv4 is 32'],
  ['fd00::/129', 'Max width for IPv6 is 128'],
  ['fd00::/128', undefined],
])('the network %s: %s', (text, problem) => {
  expect(ipNetProblem(text)).toBe(problem)
  expect(parseIpNet(text) === undefined).toBe(problem !== undefined)
})

/** Independent references: a regular expression for IPv4, and URL hosts for IPv6. */
const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const judgedIpv4 = (text: string): boolean => new RegExp(`^${octet}([.]${octet}){3}$`).test(text)
const judgedIpv6 = (text: string): boolean => /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`)

describe('against independent references', () => {
  const roll = dice(7)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[roll(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const ipv4 = () => Array.from({ length: 4 }, () => roll(256)).join('.')
  function ipv6(): string {
    const hex = () => (roll(3) ? roll(65_536) : 0).toString(16).padStart(roll(5), '0')
    const groups = Array.from({ length: roll(10) }, hex)
    if (roll(4) === 0) groups.push(ipv4())
    if (roll(2)) groups.splice(roll(groups.length + 1), roll(3), '')
    return groups.join(':').replace(/^:(?!:)/, roll(2) ? '::' : ':')
  }
  const characters = [
    '0',
    '1',
    '9',
    'a',
    'F',
    'g',
    '.',
    ':',
    '::',
    '%',
    '/',
    '-',
    ' ',
    '+',
    '\u0661',
    '255',
    '256',
  ]
  function mutate(text: string): string {
    const at = roll(text.length + 1)
    return text.slice(0, at) + (roll(3) ? pick(characters) : '') + text.slice(at + roll(2))
  }

  test('address syntax', () => {
    const count = { good: 0, bad: 0 }
    for (let turn = 0; turn < 60_000; turn++) {
      let text = roll(2) ? ipv4() : ipv6()
      for (let more = roll(3); more > 0; more--) text = mutate(text)
      expect([text, isIpv4(text), isIpv6(text)]).toEqual([text, judgedIpv4(text), judgedIpv6(text)])
      count[isIp(text) ? 'good' : 'bad']++
    }
    expect(Math.min(count.good, count.bad)).toBeGreaterThan(10_000)
  })

  test('canonical address text', () => {
    let compared = 0
    for (let turn = 0; turn < 20_000; turn++) {
      const text = roll(4) ? ipv6() : ipv4()
      const ip = parseIp(text)
      if (!ip) continue
      // A URL's host is serialised by the same rules.
      const host = new URL(`http://${ip.version === 6 ? `[${text}]` : text}`).hostname.replace(/[[\]]/g, '')
      expect(formatIp(ip)).toBe(host)
      expect(parseIp(host)).toEqual(ip)
      compared++
    }
    expect(compared).toBeGreaterThan(5000)
  })

  test('network membership, bit by bit', () => {
    const bits = ({ version, value }: { version: number; value: bigint }) =>
      value.toString(2).padStart(version === 4 ? 32 : 128, '0')
    const near = (value: bigint, size: number) => value ^ (roll(3) ? 1n << BigInt(roll(size)) : 0n)
    for (let turn = 0; turn < 20_000; turn++) {
      const version = roll(2) ? 4 : 6
      const size = version === 4 ? 32 : 128
      const value = BigInt(roll(2 ** 32)) << BigInt(version === 4 ? 0 : roll(97))
      const width = roll(size + 1)
      const text = `${formatIp({ version, value })}/${width}`
      const net = parseIpNet(text)
      if (!net) throw new Error(`${text} is not a network`)
      const other = { version, value: near(value, size) } as const
      const otherNet = parseIpNet(`${formatIp(other)}/${roll(size + 1)}`)
      if (!otherNet) throw new Error('the other is no network')
      const prefix = bits({ version, value }).slice(0, width)
      const otherPrefix = bits(other).slice(0, otherNet.width)
      expect(formatIpNet(net)).toBe(text)
      expect(hasHostBits(net)).toBe(bits({ version, value }).slice(width).includes('1'))
      expect(netContains(net, other)).toBe(bits(other).startsWith(prefix))
      expect(netContains(net, { version: version === 4 ? 6 : 4, value })).toBe(false)
      const overlap = prefix.startsWith(otherPrefix) || otherPrefix.startsWith(prefix)
      expect(netsOverlap(net, otherNet)).toBe(overlap)
      expect(netWithin(otherNet, net)).toBe(otherPrefix.startsWith(prefix))
    }
  })
})

test.each([
  [[], undefined],
  [['10.0.0.0/8', '192.168.0.0/16', 'fd00::/8'], undefined],
  [['10.0.0.1/8'], 'transit IP block 10.0.0.1/8 has a non-zero host identifier'],
  [['224.0.0.0/4'], 'transit IP block 224.0.0.0/4 is a multicast network'],
  [['ff02::/16'], 'transit IP block ff02::/16 is a multicast network'],
  [['239.1.2.3/32'], 'transit IP 239.1.2.3/32 is a multicast address'],
  [['127.0.0.0/8'], 'transit IP block 127.0.0.0/8 is a loopback network'],
  [['127.0.0.1/32'], 'transit IP 127.0.0.1/32 is a loopback address'],
  [['::1/128'], 'transit IP ::1/128 is a loopback address'],
  [['10.0.0.0/8', '10.1.0.0/16'], 'transit IP block 10.1.0.0/16 overlaps with 10.0.0.0/8'],
  [['10.1.0.0/16', '10.2.0.0/16', '10.1.0.0/16'], 'transit IP block 10.1.0.0/16 overlaps with 10.1.0.0/16'],
])('transit networks %j: %s', (blocks, problem) => expect(transitIpsProblem(blocks)).toBe(problem))

const notPrivate = 'VPC Subnet IPv4 address ranges must be from a private range'
const badWidth = 'VPC Subnet IPv4 address ranges must have prefix length between 8 and 26, inclusive'
test.each([
  ['10.0.0.0/8', undefined],
  ['172.16.0.0/12', undefined],
  ['172.31.255.192/26', undefined],
  ['192.168.0.0/16', undefined],
  ['10.0.0.0/7', notPrivate],
  ['172.32.0.0/16', notPrivate],
  ['192.168.0.0/15', notPrivate],
  ['8.8.8.0/24', notPrivate],
  ['fd00::/16', notPrivate],
  ['10.0.0.0/27', badWidth],
  ['192.168.1.1/32', badWidth],
])('the IPv4 block %s of a subnet: %s', (text, problem) => {
  const net = parseIpNet(text)
  expect(net && subnetIpv4Problem(net)).toBe(problem)
})

test.each([
  ['fd12:3456:789a:ffff::/64', true],
  ['fd12:3456:789a::/64', true],
  ['fd12:3456:789b::/64', false],
  ['fd12:3456:789a::/63', false],
  ['fd12:3456:789a::/65', false],
  ['10.0.0.0/16', false],
])('the IPv6 block %s of a subnet is valid: %s', (text, good) =>
  expect(subnetIpv6Problem(text, 'fd12:3456:789a::/48')).toBe(
    good
      ? undefined
      : `VPC Subnet IPv6 address range '${text}' is not valid for VPC with IPv6 prefix 'fd12:3456:789a::/48'`,
  ),
)

test.each([
  ['fd00::/48', true],
  ['fdff:ffff:ffff::/48', true],
  ['fc00::/48', false],
  ['fd00::/47', false],
  ['fd00::1/48', false],
  ['2001:db8::/48', false],
  ['10.0.0.0/8', false],
])('the prefix %s of a VPC is valid: %s', (text, good) =>
  expect(vpcPrefixProblem(text) === undefined).toBe(good),
)

test('a mapped IPv4 address is written as one (RFC 5952, section 5)', () => {
  const canonical = (text: string) => {
    const ip = parseIp(text)
    return ip && formatIp(ip)
  }
  for (const text of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:c000:0201'])
    expect(canonical(text)).toBe('::ffff:192.0.2.1')
  expect(canonical('::ffff:0:0')).toBe('::ffff:0.0.0.0')
  const net = parseIpNet('::ffff:c000:200/120')
  expect(net && formatIpNet(net)).toBe('::ffff:192.0.2.0/120')
  // Neither of these is mapped.
  expect(canonical('::192.0.2.1')).toBe('::c000:201')
  expect(canonical('::1:ffff:c000:201')).toBe('::1:ffff:c000:201')
  expect(canonical('64:ff9b::192.0.2.1')).toBe('64:ff9b::c000:201')
})
