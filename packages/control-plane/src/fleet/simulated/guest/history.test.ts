import { expect, test } from 'vitest'
import { MAX_HISTORY_LINES, MAX_HISTORY_UNITS, remember } from './history.ts'

test.each([
  [[], 'ls', ['ls']],
  [['ls'], 'ls', ['ls']],
  [['ls'], '  ', ['ls']],
  [['ls', 'pwd'], 'ls', ['ls', 'pwd', 'ls']],
])('after %o, entering %o keeps %o', (history, line, expected) =>
  expect(remember(history, line)).toEqual(expected),
)

test('keeps the latest lines', () => {
  const lines = Array.from({ length: MAX_HISTORY_LINES + 20 }, (_, index) => `echo ${index}`)
  let history: string[] = []
  for (const line of lines) history = remember(history, line)
  expect(history).toEqual(lines.slice(20))
})

test('keeps fewer lines when they are long', () => {
  let history: string[] = []
  for (let index = 0; index < 60; index++) history = remember(history, `${index}${'x'.repeat(1000)}`)
  expect(history.join('').length).toBeLessThanOrEqual(MAX_HISTORY_UNITS)
  expect(history.length).toBe(11)
})
