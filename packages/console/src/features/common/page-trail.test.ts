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

test.each([
  ['another page', 'instanceSortedList', '/projects/web', { age: 'day', page: 'b' }, true],
  ['another order of the parameters', 'instanceSortedList', '/projects/web', { page: 'b', age: 'day' }, true],
  ['another filter', 'instanceSortedList', '/projects/web', { age: 'week' }, false],
  ['another project', 'instanceSortedList', '/projects/db', { age: 'day' }, false],
  ['another list', 'diskList', '/projects/web', { age: 'day' }, false],
])('%s has the same trail: %5$s', (_, operation, path, search, isSame) =>
  expect(
    trailKey(operation, path, search) === trailKey('instanceSortedList', '/projects/web', { age: 'day' }),
  ).toBe(isSame),
)
