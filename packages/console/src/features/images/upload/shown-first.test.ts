import { expect, test } from 'vitest'
import { shownFirst } from './shown-first.ts'

const uploads = (count: number, state = 'open') =>
  Array.from({ length: count }, (_, at) => ({ id: `${state}-${at}`, state }))
const ids = (shown: readonly { id: string }[]) => shown.map(({ id }) => id)

test('of many unfinished uploads, the working and own ones come first', () => {
  const all = [...uploads(57), { id: 'own', state: 'open' }, ...uploads(1, 'converting')]
  expect(ids(shownFirst(all, (id) => id === 'own'))).toEqual(['converting-0', 'own', 'open-0'])
})

test('of few all are shown', () => {
  expect(ids(shownFirst(uploads(3), () => false))).toEqual(['open-0', 'open-1', 'open-2'])
  expect(shownFirst([], () => false)).toEqual([])
})
