import { kinds as contractKinds, searchedKinds } from '@gantry/api/kind.gen'
import { expect, test } from 'vitest'
import { kinds, kindWords, searchedTables } from './kinds.ts'

test('the contract names exactly the kinds described here (npm run generate)', () => {
  expect([...contractKinds]).toEqual(kindWords())
  expect([...searchedKinds]).toEqual(searchedTables.map((table) => kinds[table].word))
})

test('no two tables share a word, and each parent is described', () => {
  const words = kindWords()
  expect(new Set(words).size).toBe(words.length)
  for (const { parent } of Object.values(kinds)) expect(['fleet', ...Object.keys(kinds)]).toContain(parent)
})
