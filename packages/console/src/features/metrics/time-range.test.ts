import { describe, expect, test } from 'vitest'
import { fieldText, momentOf, rangeOf, slideSteps, stepOf } from './time-range.ts'

const { means, changes } = slideSteps
const now = Date.UTC(2025, 10, 20, 12, 0, 42) / 1000

describe('a range of the URL', () => {
  test('without any word is the last hour: for means up to the last whole minute, for changes up to now', () => {
    expect(rangeOf({}, now, means)).toEqual({ preset: 'hour', start: now - 42 - 3600, end: now - 42 })
    expect(rangeOf({}, now + 0.5, changes)).toEqual({ preset: 'hour', start: now - 3600, end: now })
  })

  test('of a preset has its length', () => {
    const { start, end } = rangeOf({ range: 'week' }, now, means)
    expect(end - start).toBe(7 * 86_400)
  })

  test('of two times does not slide', () => {
    const chosen = { from: '2025-11-20T10:00:00Z', to: '2025-11-20T11:00:00Z' }
    expect(rangeOf(chosen, now, means)).toEqual(rangeOf(chosen, now + 1000, means))
    expect(rangeOf(chosen, now, means)).toMatchObject({
      preset: undefined,
      end: Date.UTC(2025, 10, 20, 11) / 1000,
    })
  })

  test.each([
    { from: '2025-11-20T11:00:00Z', to: '2025-11-20T10:00:00Z' },
    { from: 'yesterday', to: 'today' },
    { range: 'toString' },
    { range: 'century' },
  ])('%j is invalid and becomes the last hour', (search) => {
    expect(rangeOf(search, now, means).preset).toBe('hour')
  })
})

test.each([
  [600, 10],
  [3600, 60],
  [10_800, 180],
  [86_400, 1440],
  [604_800, 10_080],
  [60, 5],
  [420, 10],
  [3700, 70],
])('a range of %d s has a point each %d s', (length, step) => {
  expect(stepOf([0, length])).toBe(step)
})

test('a date field shows local time to the minute', () => {
  const local = new Date(2025, 10, 20, 9, 5, 30)
  expect(fieldText(local.getTime() / 1000)).toBe('2025-11-20T09:05')
})

test('an end of a range that was not edited stays what it is, to the second', () => {
  const was = new Date(2025, 10, 20, 9, 5, 30).getTime() / 1000
  expect(momentOf(fieldText(was), was, 'start')).toBe(was)
  expect(momentOf('2025-11-20T10:00', was, 'end')).toBe(new Date(2025, 10, 20, 10).getTime() / 1000)
  expect(momentOf('', was, 'end')).toBe(Number.NaN)
})
