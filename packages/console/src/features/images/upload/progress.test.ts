import { expect, test } from 'vitest'
import { createPace } from './progress.ts'

test('derives speed and time left from the last seconds', () => {
  let now = 0
  const pace = createPace(10_000, () => now)
  pace.note(0)
  expect(pace.measure()).toBeUndefined()
  now = 1000
  pace.note(1000)
  expect(pace.measure()).toEqual({ bytesPerSecond: 1000, secondsLeft: 9 })
  // Samples outside the window do not count.
  now = 6000
  pace.note(1000)
  now = 7000
  pace.note(4000)
  expect(pace.measure()).toEqual({ bytesPerSecond: 3000, secondsLeft: 2 })
  pace.restart()
  expect(pace.measure()).toBeUndefined()
})
