import { expect, test } from 'vitest'
import { listKinds, ofProjectKinds } from '../filter/list-kinds.rules.ts'
import { filterNoun } from './filter-noun.rules.ts'

test.each(ofProjectKinds)('the noun of %s is the one of its list', (kind) => {
  expect(filterNoun(kind)).toBe(listKinds[kind].noun)
})
