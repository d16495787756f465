import { expect, test } from 'vitest'
import { percentOf } from './progress.ts'

test.each([
  [0, 100, 0],
  [999, 1000, 99],
  [1000, 1000, 100],
  [0, 0, 0],
])('%i of %i bytes are %i %%', (bytes, size, percent) => {
  expect(percentOf(bytes, size)).toBe(percent)
})
