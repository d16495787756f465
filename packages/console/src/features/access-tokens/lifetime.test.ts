import { tokenSecondsMax } from '@gantry/api/people/device.rules'
import { expect, test } from 'vitest'
import { lifetimeOf, lifetimeProblem, lifetimeText, secondsOf } from './lifetime.ts'

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [5400, '90 minutes'],
  [3600, '1 hour'],
  [90_000, '25 hours'],
  [2_592_000, '30 days'],
  [90_061, '90,061 seconds'],
])('%d seconds become %s without loss', (seconds, text) => {
  expect(lifetimeText(seconds)).toBe(text)
  expect(secondsOf(lifetimeOf(seconds))).toBe(seconds)
})

test.each([
  [null, 'days', 'Maximum lifetime is required'],
  [0, 'days', 'Must be at least 1'],
  [1.5, 'hours', 'Must be a whole number'],
  [1, 'seconds', undefined],
  [tokenSecondsMax, 'seconds', undefined],
  [tokenSecondsMax + 1, 'seconds', 'Must be 4,294,967,295 seconds or less'],
  [49_710, 'days', undefined],
  [49_711, 'days', 'Must be 49,710 days or less'],
] as const)('a maximum lifetime of %s %s: %s', (amount, unit, problem) =>
  expect(lifetimeProblem(amount, unit)).toBe(problem),
)
