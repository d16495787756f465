import { expect, test } from 'vitest'
import { fuzzyMatch } from '#/kit/list/fuzzy.ts'
import { readings } from './palette-words.ts'

test.each([
  ['create vm', 'New instance'],
  ['add server', 'New instance'],
  ['new disk', 'New disk'],
  ['log out', 'Sign out'],
  ['logout', 'Sign out'],
  ['add volume', 'New disk'],
  ['billing', 'Use and cost'],
])('%s finds %s', (typed, label) =>
  expect(readings(typed).some((text) => fuzzyMatch(text, label) !== undefined)).toBe(true),
)

test('what is typed comes first, and there are few readings of it', () => {
  expect(readings('Create VM server backup network ip')[0]).toBe('Create VM server backup network ip')
  expect(readings('create vm server backup network ip bill quota log').length).toBeLessThanOrEqual(8)
  expect(readings('')).toEqual([''])
})
