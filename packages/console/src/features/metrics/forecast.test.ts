import { expect, test } from 'vitest'
import { forecastOf } from './forecast.ts'

const day = 86_400
const daily = (amounts: readonly number[]) => amounts.map((amount, index) => ({ time: index * day, amount }))

test('steady growth fills the quota when the fitted line reaches it', () => {
  const steps = Array.from({ length: 121 }, (_, quarter) => ({
    time: (quarter * day) / 4,
    amount: quarter / 4,
  }))
  const forecast = forecastOf(steps, 40)
  expect(forecast.kind).toBe('full')
  if (forecast.kind !== 'full') return
  expect(forecast.at / day).toBeCloseTo(40, 6)
  expect(forecast.earliest).toBeCloseTo(forecast.at, 0)
})

test('unsteady growth has a band around its day', () => {
  const amounts = [1, 6, 3, 9, 5, 12, 7, 15, 10, 18]
  const forecast = forecastOf(daily(amounts), 100)
  if (forecast.kind !== 'full') throw new Error(forecast.kind)
  expect(forecast.earliest).toBeLessThan(forecast.at)
  expect(forecast.latest ?? Number.POSITIVE_INFINITY).toBeGreaterThan(forecast.at)
})

test.each([
  ['a level line', [5, 5, 5, 5, 5, 5], 10, 'not-growing'],
  ['less and less', [9, 8, 7, 6, 5, 4], 10, 'not-growing'],
  ['growth that takes decades', [5000, 5000, 5000, 5000, 5000, 5001], 1e9, 'not-growing'],
  ['two days', [1, 2, 3], 10, 'too-little-data'],
  ['nothing until yesterday', [0, 0, 0, 0, 0, 0, 4], 10, 'too-little-data'],
  ['nothing at all', [0, 0, 0, 0, 0], 10, 'too-little-data'],
  ['no quota', [1, 2, 3, 4, 5], 0, 'too-little-data'],
  ['more than the quota', [1, 2, 3, 4, 12], 10, 'already-full'],
])('%s with %j of %d is %s', (_, amounts, quota, kind) => {
  expect(forecastOf(daily(amounts), quota).kind).toBe(kind)
})

test('without changes there is no forecast', () => {
  expect(forecastOf([], 10)).toEqual({ kind: 'too-little-data' })
})
