import { expect, test } from 'vitest'
import { fuzzyFilter, fuzzyMatch } from './fuzzy.ts'

test.each([
  ['', 'Instances', true],
  ['inst', 'Instances', true],
  ['NEW PRO', 'New project', true],
  ['np', 'New project', true],
  ['dbp', 'db-primary', true],
  ['pn', 'New project', false],
  ['x', 'Instances', false],
  ['aab', 'a-ab', true],
])('%j finds %j: %s', (typed, label, expected) =>
  expect(fuzzyMatch(typed, label) !== undefined).toBe(expected),
)

test('reports the matched positions for highlighting', () => {
  expect(fuzzyMatch('db', 'my-db')?.at).toEqual([3, 4])
  expect(fuzzyMatch('np', 'New project')?.at).toEqual([0, 4])
})

test('runs and word starts come first, ties keep their order', () => {
  const labels = ['redbird', 'x-db', 'db-one', 'db-two']
  expect(fuzzyFilter('db', labels, String).map(({ item }) => item)).toEqual([
    'db-one',
    'db-two',
    'x-db',
    'redbird',
  ])
  expect(fuzzyFilter('', labels, String).map(({ item }) => item)).toEqual(labels)
})
