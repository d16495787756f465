import { expect, test } from 'vitest'
import { findQuery, sortedBy, sortOf, sortWord } from './find.ts'

test.each([
  [{}, {}],
  [{ filter: 'state:failed web' }, { filter: 'state:failed web' }],
  [{ sort: '-created' }, { sortBy: 'time_created_descending' }],
  [{ sort: 'cpu' }, { sortBy: 'ncpus_ascending' }],
  [{ sort: 'toString' }, { sortBy: 'name_ascending' }],
  // Older links.
  [{ name: ' web ' }, { filter: 'name:*web*' }],
  [{ name: 'a "b"' }, { filter: 'name:"a \\"b\\""' }],
  [{ state: 'failed,running' }, { filter: 'state:failed,running' }],
  [{ age: 'day' }, { filter: 'created<1d' }],
  [{ age: 'older', name: 'web', state: 'failed' }, { filter: 'name:*web* state:failed created>30d' }],
  [{ age: 'toString' }, {}],
  // An empty filter is what clearing one leaves of them.
  [{ filter: '', name: 'web' }, {}],
])('%j queries %j', (search, expected) => expect(findQuery(search)).toEqual(expected))

test('pressing a column head sorts by it, pressing it again reverses the order', () => {
  const byName = sortOf({})
  const byState = sortedBy(byName, 'state')
  expect(sortWord(byState)).toBe('state')
  expect(sortWord(sortedBy(byState, 'state'))).toBe('-state')
  expect(sortWord(sortedBy(byName, 'name'))).toBe('-name')
  expect(sortWord(sortedBy(sortOf({ sort: '-name' }), 'name'))).toBeUndefined()
})
