import { expect, test } from 'vitest'
import { follow, positionOf, trailKey } from './page-trail.ts'

const visited = follow(follow([], undefined, 'b'), 'b', 'c')

test.each([
  [undefined, { number: 1, previous: undefined }],
  ['b', { number: 2, previous: { token: undefined } }],
  ['c', { number: 3, previous: { token: 'b' } }],
  ['elsewhere', { number: undefined, previous: undefined }],
])('on the page of token %s', (token, position) => expect(positionOf(visited, token)).toEqual(position))

test('leaving an earlier page in another direction forgets the old trail', () => {
  expect(follow(visited, 'b', 'd')).toEqual([undefined, 'b', 'd'])
})

test('after a link into the middle, Previous goes back to the linked page', () => {
  const trail = follow([], 'm', 'n')
  expect(positionOf(trail, 'n')).toEqual({ number: undefined, previous: { token: 'm' } })
  expect(positionOf(trail, 'm')).toEqual({ number: undefined, previous: undefined })
})

const request = (query: object, operation = 'instanceSortedList') => [operation, { query }]
const recent = request({ project: 'web', limit: 50, createdAfter: '2026-11-27T10:00:00Z' })
const later = request({ project: 'web', limit: 50, createdAfter: '2026-11-27T10:01:00Z' })

test.each([
  ['a minute later', later, 'day', true],
  ['another age', later, 'week', false],
  ['another project', request({ project: 'db', limit: 50 }), 'day', false],
  ['another filter', request({ project: 'web', limit: 50, name: 'a' }), 'day', false],
  ['another list', request({ project: 'web', limit: 50 }, 'diskList'), 'day', false],
])('%s has the same trail: %4$s', (_, key, age, isSame) =>
  expect(trailKey(key, age) === trailKey(recent, 'day')).toBe(isSame),
)
