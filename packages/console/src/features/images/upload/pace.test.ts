import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('tells speed and time left by the last seconds', () => {
  let now = 0
  const pace = createPace(10_000, () => now)
  pace.note(0)
  expect(pace.tell()).toBeUndefined()
  now = 1000
  pace.note(1000)
  expect(pace.tell()).toEqual({ bytesPerSecond: 1000, secondsLeft: 9 })
  // What is long ago counts no more.
  now = 6000
  pace.note(1000)
  now = 7000
  pace.note(4000)
  expect(pace.tell()).toEqual({ bytesPerSecond: 3000, secondsLeft: 2 })
  pace.restart()
  expect(pace.tell()).toBeUndefined()
})
