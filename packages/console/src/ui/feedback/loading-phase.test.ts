import { expect, test } from 'vitest'
import { follow } from './loading-phase.ts'

test.each([
  ['off', 'waiting', 'off'],
  ['waiting', 'waiting', 'off'],
  ['running', 'running', 'staying'],
  ['staying', 'running', 'staying'],
  ['ending', 'waiting', 'ending'],
] as const)('a bar that is %s becomes %s while loading, and %s otherwise', (phase, loading, idle) => {
  expect(follow(phase, true)).toBe(loading)
  expect(follow(phase, false)).toBe(idle)
})
