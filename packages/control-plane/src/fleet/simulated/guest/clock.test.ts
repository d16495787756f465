import { expect, test } from 'vitest'
import { dateLine, secondsBetween, upFor } from './clock.ts'

test.each([
  [0, '0 min'],
  [59, '0 min'],
  [7 * 60, '7 min'],
  [3600, ' 1:00'],
  [11 * 3600 + 300, '11:05'],
  [86_400, '1 day, 0 min'],
  [42 * 86_400 + 3 * 3600 + 4 * 60, '42 days,  3:04'],
])('%d seconds are %s', (seconds, expected) => expect(upFor(seconds)).toBe(expected))

test('days are padded, and a clock set back counts as no time', () => {
  const early = new Date('2026-02-03T04:05:06Z')
  expect(dateLine(early)).toBe('Tue Feb  3 04:05:06 UTC 2026')
  expect(secondsBetween(early, new Date('2026-02-03T04:05:08.900Z'))).toBe(2)
  expect(secondsBetween(early, new Date('2025-01-01T00:00:00Z'))).toBe(0)
})
