import { expect, test } from 'vitest'
import { sourceFilter } from './network-access.rules.ts'

const list = { allow: 'list', ips: ['192.0.2.0/24', '2001:db8::/32', '203.0.113.7/32'] } as const

test.each([
  ['192.0.2.9', true],
  ['::ffff:192.0.2.9', true],
  ['2001:db8::1', true],
  ['203.0.113.7', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['192.0.3.9', false],
  ['203.0.113.8', false],
  ['2001:db9::1', false],
  ['unknown', false],
])('requests from %s may reach the API: %s', (address, expected) => {
  expect(sourceFilter(list)(address)).toBe(expected)
  expect(sourceFilter({ allow: 'any' })(address)).toBe(true)
})

test('the networks are parsed once for all addresses', () => {
  let reads = 0
  const ips = ['192.0.2.0/24']
  Object.defineProperty(ips, 0, { get: () => (reads++, '192.0.2.0/24') })
  const isAllowed = sourceFilter({ allow: 'list', ips })
  for (let host = 0; host < 256; host++) expect(isAllowed(`192.0.2.${host}`)).toBe(true)
  expect(reads).toBe(1)
})
