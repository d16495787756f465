import { knownNet } from '@gantry/api/base/ip.rules'
import { expect, test } from 'vitest'
import { isReachable } from './address-classes.ts'

const each = (...lines: string[]): string[] => lines.flatMap((line) => line.split(', '))

test.each(
  each(
    '1.1.1.1, 9.255.255.255, 11.0.0.0, 100.63.255.255, 100.128.0.0, 172.15.0.1, 172.32.0.1',
    '192.0.3.1, 192.167.1.1, 198.17.0.1, 198.20.0.1, 223.255.255.255, 126.255.255.255',
    '2606:4700::1111, 2a00::1, 2003::, ::ffff:1.1.1.1, 64:ff9b::1.1.1.1',
  ),
)('%s is public', (address) => expect(isReachable(address, [])).toBe(true))

test.each(
  each(
    '0.0.0.0, 0.1.2.3, 10.1.2.3, 100.64.0.1, 100.100.100.200, 127.0.0.1, 127.255.255.254',
    '168.63.129.16, 169.254.169.254, 172.16.0.1, 172.31.255.255, 192.0.0.192, 192.0.2.1',
    '192.88.99.1, 192.168.0.1, 198.18.0.1, 198.19.255.255, 198.51.100.1, 203.0.113.1',
    '224.0.0.1, 239.255.255.250, 240.0.0.1, 255.255.255.255',
    '::, ::1, ::127.0.0.1, ::ffff:127.0.0.1, ::ffff:a9fe:a9fe, 64:ff9b::10.0.0.1',
    '64:ff9b:1::1.1.1.1, 100::1, 2001::1, 2001:db8::1, 2002:7f00:1::, 2002:101:101::1',
    '3fff::1, 4000::1, 5f00::1, fc00::1, fd00:ec2::254, fe80::1, fec0::1, ff02::1',
    ', localhost, 127.1, 0x7f.0.0.1, 017700000001, 2130706433, fe80::1%eth0, 1.1.1.1/32',
  ),
)('%j is not', (address) => expect(isReachable(address, [])).toBe(false))

const allowed = ['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32'].map(knownNet)
test.each([
  ['10.9.9.9', true],
  ['::ffff:10.9.9.9', true],
  ['64:ff9b::10.9.9.9', true],
  ['127.0.0.1', true],
  ['127.0.0.2', false],
  ['::1', false],
  ['fd12::1', true],
  ['fe80::1', false],
  ['192.168.0.1', false],
  ['1.1.1.1', true],
])('with allowed networks, %s: %j', (address, expected) => {
  expect(isReachable(address, allowed)).toBe(expected)
})

test('allowing all of IPv6 allows no IPv4', () => {
  expect(isReachable('::ffff:127.0.0.1', [knownNet('::/0')])).toBe(false)
})
