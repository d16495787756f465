import { expect, test } from 'vitest'
import { blocksOf, blocksProblem } from './blocks.ts'

test('a block is a range, or one address', () =>
  expect(blocksOf(' 192.0.2.1 - 192.0.2.9\n\n2001:db8::1')).toEqual([
    { firstAddress: '192.0.2.1', lastAddress: '192.0.2.9' },
    { firstAddress: '2001:db8::1', lastAddress: '2001:db8::1' },
  ]))

test.each([
  ['', 'Enter at least one block'],
  ['192.0.2.1-', 'An empty text is not an IP address'],
  ['192.0.2.1-x', 'x is not an IP address'],
  ['192.0.2.9-192.0.2.1', '192.0.2.9-192.0.2.1: Invalid range, first must be <= last'],
  ['192.0.2.1-fd00::1', '192.0.2.1-fd00::1: Block bounds must be in same address family'],
  ['192.0.2.1-192.0.2.9', undefined],
])('%j: %s', (text, problem) => expect(blocksProblem(text)).toBe(problem))
