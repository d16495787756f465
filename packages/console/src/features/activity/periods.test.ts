import { expect, test } from 'vitest'
import { isPeriod, spanOf } from './periods.ts'

test('a period is in the time of the reader, and its bounds change with the hour at most', () => {
  const now = new Date(2026, 10, 29, 9, 41, 5)
  expect(spanOf('night', now)).toEqual({
    startTime: new Date(2026, 10, 28, 18),
    endTime: new Date(2026, 10, 29, 8),
  })
  expect(spanOf('night', new Date(2026, 10, 29, 3))).toEqual({ startTime: new Date(2026, 10, 28, 18) })
  expect(spanOf('yesterday', now)).toEqual({
    startTime: new Date(2026, 10, 28),
    endTime: new Date(2026, 10, 29),
  })
  expect(spanOf('24h', now)).toEqual({ startTime: new Date(2026, 10, 28, 9) })
  expect(spanOf('30d', now)).toEqual({ startTime: new Date(2026, 9, 30) })
})

test('words that name no period are none', () => {
  expect(isPeriod('night')).toBe(true)
  expect(isPeriod('toString')).toBe(false)
  expect(isPeriod(undefined)).toBe(false)
})
