import { expect, test } from 'vitest'
import { findQuery, sortedBy, sortOf, sortWord } from './find.ts'

const states = ['running', 'stopped', 'failed'] as const
const now = Date.parse('2026-03-31T12:34:56.789Z')

test.each([
  [{}, { sortBy: 'name_ascending' }],
  [{ name: ' web ' }, { name: 'web', sortBy: 'name_ascending' }],
  [{ state: 'failed,gone,running' }, { state: ['running', 'failed'], sortBy: 'name_ascending' }],
  [{ state: 'nonsense' }, { sortBy: 'name_ascending' }],
  [{ sort: '-created' }, { sortBy: 'time_created_descending' }],
  [{ sort: 'toString' }, { sortBy: 'name_ascending' }],
  [{ age: 'day' }, { createdAfter: '2026-03-30T12:34:00.000Z', sortBy: 'name_ascending' }],
  [{ age: 'older' }, { createdBefore: '2026-03-01T12:34:00.000Z', sortBy: 'name_ascending' }],
  [{ age: 'toString' }, { sortBy: 'name_ascending' }],
])('%j queries %j', (search, expected) => expect(findQuery(search, states, now)).toEqual(expected))

test('pressing a column head sorts by it, pressing it again reverses the order', () => {
  const byName = sortOf({})
  const byState = sortedBy(byName, 'state')
  expect(sortWord(byState)).toBe('state')
  expect(sortWord(sortedBy(byState, 'state'))).toBe('-state')
  expect(sortWord(sortedBy(byName, 'name'))).toBe('-name')
  expect(sortWord(sortedBy(sortOf({ sort: '-name' }), 'name'))).toBeUndefined()
})
