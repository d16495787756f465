import { expect, test } from 'vitest'
import { blockerText } from './blockers.ts'

test('lists every blocker by name and counts those that do not fit', () => {
  const blockers = [
    { kind: 'project', count: 1, names: ['web'] },
    { kind: 'disk', count: 23, names: ['a', 'b'] },
  ]
  expect(blockerText({ blockers })).toBe('It contains 1 project: web; 23 disks: a, b, and 21 more.')
})

test.each([undefined, null, {}, { blockers: [] }, { etag: '"1"' }])('%j names nothing', (details) =>
  expect(blockerText(details)).toBeUndefined(),
)
