import { describe, expect, test } from 'vitest'
import { axisTicks, axisTop, tickText, timeText, timeTicks } from './axis.ts'

describe('the top of a value axis', () => {
  test.each([
    [0, 10],
    [0.4, 10],
    [10, 10],
    [10.1, 20],
    [97, 100],
    [100, 100],
    [1016, 1020],
    [1020.5, 1023],
    [5000, 1023],
  ])('for %d is %d', (largest, top) => {
    expect(axisTop(largest)).toBe(top)
  })
})

test('an axis has six marks from zero to its top', () => {
  expect(axisTicks(100)).toEqual([0, 20, 40, 60, 80, 100])
  expect(axisTicks(1023).map(tickText)).toEqual(['0', '205', '409', '614', '818', (1023).toLocaleString()])
})

test('small marks keep three digits', () => {
  expect(tickText(0.123456)).toBe((0.123).toLocaleString())
})

test('five marks of time stay inside the range', () => {
  const ticks = timeTicks(0, 100)
  expect(ticks).toEqual([10, 30, 50, 70, 90])
})

test('marks of time name the day only where the range has several', () => {
  const noon = new Date(2025, 10, 20, 12, 5).getTime() / 1000
  expect(timeText(noon, [noon - 300, noon + 300])).toBe('12:05')
  expect(timeText(noon, [noon - 86_400, noon])).toBe('11/20 12:05')
  expect(timeText(noon, [noon - 30 * 86_400, noon])).toBe('11/20')
})

test('marks of time over a week or longer are different days', () => {
  const range = [0, 7 * 86_400] as const
  const texts = timeTicks(...range).map((at) => timeText(at, range))
  expect(new Set(texts).size).toBe(texts.length)
})

test('marks of time within a minute of each other have seconds', () => {
  const range = [0, 299] as const
  const texts = timeTicks(...range).map((at) => timeText(at, range))
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts[0]).toMatch(/^\d\d:\d\d:\d\d$/)
})
