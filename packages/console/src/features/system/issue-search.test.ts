import { expect, test } from 'vitest'
import { issueQuery, issueSearch } from './issue-search.ts'

test('the URL filters the issues by state and kind', () => {
  expect(issueQuery({ state: 'past', kind: 'fault' })).toEqual({ state: 'past', kind: ['fault'] })
  expect(issueQuery({})).toEqual({})
})

test('ignores invalid values in the URL', () => {
  expect(issueQuery(issueSearch({ state: 'closed', kind: 7, name: 'x' }))).toEqual({})
})
