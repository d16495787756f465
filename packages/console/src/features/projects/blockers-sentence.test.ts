import { expect, test } from 'vitest'
import { type BlockerGroup, blockersSentence } from './blockers-sentence.ts'

test.each<[BlockerGroup[], string | undefined]>([
  [[{ kind: 'disks', names: [] }], undefined],
  [[{ kind: 'disks', names: ['a'] }], 'Delete these first: disks a.'],
  [
    [
      { kind: 'instances', names: ['web'] },
      { kind: 'disks', names: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      { kind: 'images', names: [] },
    ],
    'Delete these first: instances web; disks a, b, c, d, e and 2 more.',
  ],
])('blockers %j read: %s', (blockers, text) => expect(blockersSentence(blockers)).toBe(text))
