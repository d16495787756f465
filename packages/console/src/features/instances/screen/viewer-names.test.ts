import { expect, test } from 'vitest'
import { namesOf } from './viewer-names.ts'

test.each([
  [[], ''],
  [['me'], ''],
  [['me', 'ann'], 'ann watches.'],
  [['me', 'ann', 'bob'], 'ann and bob watch.'],
  [['holder', 'me', 'ann', 'bob', 'cy'], 'ann, bob and cy watch.'],
  [['ann', 'bob', 'cy', 'dee', 'eve', 'me'], 'ann, bob, cy and 2 more watch.'],
])('of %j', (names, sentence) => {
  const viewers = names.map((name) => ({ id: name, name }))
  expect(namesOf({ viewers, you: 'me', keyboard: 'holder', asking: null, seconds: 0 })).toBe(sentence)
})
