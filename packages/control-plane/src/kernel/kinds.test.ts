import { kinds as contractKinds } from '@gantry/api/kind.gen'
import { expect, test } from 'vitest'
import { kinds, kindWords } from './kinds.ts'

test('the contract names every kind that is described here, and no other (npm run openapi)', () => {
  expect([...contractKinds]).toEqual(kindWords())
})

test('no two tables share a word, and each parent is described too', () => {
  const words = kindWords()
  expect(new Set(words).size).toBe(words.length)
  for (const { parent } of Object.values(kinds)) expect(['fleet', ...Object.keys(kinds)]).toContain(parent)
})
