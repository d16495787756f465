import { expect, test } from 'vitest'
import { failureLines } from './failure-details.ts'
import { longDistance } from './long-distance.ts'

test('sleds come one to a line with their reasons, other details as they are', () => {
  const sleds = [
    { sled: 'GS-001', reason: '2 of 64 vCPUs free' },
    { sled: 'GS-002', reason: 'fits' },
  ]
  expect(failureLines({ sleds, exit_code: 1 })).toEqual([
    { what: 'GS-001', text: '2 of 64 vCPUs free' },
    { what: 'GS-002', text: 'fits' },
    { what: 'exit code', text: '1' },
  ])
  expect(failureLines(null)).toEqual([])
})

test.each([
  [20_000, '20 seconds'],
  [60_000, '1 minute'],
  [299_700, '5 minutes'],
  [5_400_000, '2 hours'],
  [-5, '0 seconds'],
])('%s ms are %s', (ms, expected) => expect(longDistance(ms)).toBe(expected))
