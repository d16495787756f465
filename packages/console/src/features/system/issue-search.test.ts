import { expect, test } from 'vitest'
import { issueQuery, issueSearch } from './issue-search.ts'

test('the URL narrows the issues by state and kind', () => {
  expect(issueQuery({ state: 'past', kind: 'fault' })).toEqual({ state: 'past', kind: ['fault'] })
  expect(issueQuery({})).toEqual({})
})

test('words of the URL that mean nothing are ignored', () => {
  expect(issueQuery(issueSearch({ state: 'closed', kind: 7, name: 'x' }))).toEqual({})
})
