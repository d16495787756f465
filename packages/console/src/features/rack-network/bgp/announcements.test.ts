import { expect, test } from 'vitest'
import { blockOf, networksProblem } from './announcements.tsx'

const blocks = [
  { id: 'four', firstAddress: '203.0.113.0', lastAddress: '203.0.113.255' },
  { id: 'six', firstAddress: 'fd00::', lastAddress: 'fd00::ffff' },
]

test.each([
  ['203.0.113.128/25', 'four'],
  ['203.0.113.0/24', 'four'],
  ['203.0.112.0/23', undefined],
  ['fd00::/112', 'six'],
  ['fd00::/64', undefined],
  ['word', undefined],
])('%s is in block %s', (network, id) => expect(blockOf(network, blocks)?.id).toBe(id))

test.each([
  ['', undefined],
  ['203.0.113.128/25\nfd00::1', undefined],
  ['203.0.113.128/33', '203.0.113.128/33: Max width for IPv4 is 32'],
  ['198.51.100.0/24', '198.51.100.0/24 is not in any block of an address lot'],
])('%j: %s', (text, problem) => expect(networksProblem(text, blocks)).toBe(problem))
