import { parseIpNet } from '@gantry/api/base/ip.rules'
import { isVpcPrefix } from '@gantry/api/network/vpc.rules'
import { describe, expect, test } from 'vitest'
import {
  formatIpv4,
  formatMac,
  ipv6SubnetOf,
  parseIpv4,
  parseIpv4Block,
  parseMac,
  randomVpcPrefix,
} from './ip.ts'

/** A seeded generator: the same cases every time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
}

describe('IPv4', () => {
  test.each([
    ['0.0.0.0', 0],
    ['10.0.0.1', 167_772_161],
    ['172.30.0.5', 2_887_647_237],
    ['255.255.255.255', 4_294_967_295],
  ])('%s is %i', (text, number) => {
    expect(parseIpv4(text)).toBe(number)
    expect(formatIpv4(number)).toBe(text)
  })

  test('every number survives formatting and parsing', () => {
    const next = numbers(1)
    for (let turn = 0; turn < 2000; turn++) {
      const address = next()
      expect(parseIpv4(formatIpv4(address))).toBe(address)
    }
  })

  test.each(['', '1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.256', '1.2.3.4 ', '::1'])(
    '"%s" is not an address',
    (text) => expect(parseIpv4(text)).toBeUndefined(),
  )
})

describe('IPv4 blocks', () => {
  test.each([
    ['172.30.0.0/22', '172.30.0.0', '172.30.3.255'],
    ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['10.0.0.7/32', '10.0.0.7', '10.0.0.7'],
  ])('%s reaches from %s to %s', (text, first, last) => {
    const block = parseIpv4Block(text)
    expect(block && [formatIpv4(block.first), formatIpv4(block.last)]).toEqual([first, last])
  })

  test('a block has a power of two of addresses, aligned to its size', () => {
    const next = numbers(2)
    for (let width = 0; width <= 32; width++) {
      const size = 2 ** (32 - width)
      const first = Math.floor(next() / size) * size
      expect(parseIpv4Block(`${formatIpv4(first)}/${width}`)).toMatchObject({ first, last: first + size - 1 })
    }
  })

  test.each([
    '10.0.0.0',
    '10.0.0.1/24',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'fd00::/8',
  ])('%s is not a block', (text) => expect(parseIpv4Block(text)).toBeUndefined())
})

describe('IPv6 prefixes', () => {
  test('a random VPC prefix is a unique-local /48 and contains its subnets', () => {
    const next = numbers(4)
    const random = (length: number) => Uint8Array.from({ length }, () => next() >>> 24)
    for (let turn = 0; turn < 500; turn++) {
      const prefix = randomVpcPrefix(random)
      expect(isVpcPrefix(prefix)).toBe(true)
      const [subnet, network] = [ipv6SubnetOf(prefix, turn), prefix].map(parseIpNet)
      expect(subnet?.first).toBe((network?.first ?? 0n) + BigInt(turn) * 2n ** 64n)
    }
  })

  test('a prefix with empty groups is still written canonically', () => {
    expect(randomVpcPrefix((length) => new Uint8Array(length))).toBe('fd00::/48')
    expect(ipv6SubnetOf('fd00::/48', 0)).toBe('fd00::/64')
    expect(ipv6SubnetOf('fd12:3456:789a::/48', 0xab)).toBe('fd12:3456:789a:ab::/64')
  })

  test.each(['fc00::/48', 'fd00::/47', 'fd00::1/48', 'fd00:0:0:1::/48', 'fd00::', '10.0.0.0/8'])(
    '%s is not a VPC prefix',
    (text) => expect(isVpcPrefix(text)).toBe(false),
  )
})

describe('MAC', () => {
  test('converts between text and number', () => {
    expect(formatMac(0xa84025f00000)).toBe('A8:40:25:F0:00:00')
    expect(parseMac('a8:40:25:fe:ff:ff')).toBe(0xa84025feffff)
    expect(parseMac('a8:40:25:fe:ff')).toBeUndefined()
  })

  test('every address survives formatting and parsing', () => {
    const next = numbers(5)
    for (let turn = 0; turn < 1000; turn++) {
      const mac = next() * 65_536 + (next() % 65_536)
      expect(parseMac(formatMac(mac))).toBe(mac)
    }
  })
})
