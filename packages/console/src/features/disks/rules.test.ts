import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { attachable, diskGibProblem, followSource, minGib, suggestedGib } from './rules.ts'

test.each([
  [1, 10],
  [2, 10],
  [10, 10],
  [10.5, 20],
  [1020.5, 1023],
  [1023, 1023],
])('for a source of %s GiB, %s GiB are suggested', (source, expected) =>
  expect(suggestedGib(source * GiB)).toBe(expected),
)

test.each([
  ['an empty field takes the suggested size', null, 4, 10],
  ['a larger size stays', 5, 4, 5],
  ['the minimum size stays', 4, 4, 4],
  ['a smaller size is raised to the suggested one', 5, 6, 10],
  ['a raised size is never lowered', 10, 5, 10],
  ['a much larger size is not lowered', 20, 1, 20],
] as const)('%s', (_, gib, source, expected) => expect(followSource(gib, source * GiB)).toBe(expected))

test.each([
  [undefined, 1],
  [0.2, 1],
  [4.01, 5],
  [2000, 1023],
])('a source of %s GiB needs %s GiB', (source, expected) =>
  expect(minGib(source === undefined ? undefined : source * GiB)).toBe(expected),
)

test.each([
  [null, 'Disk size is required'],
  [0, 'Must be at least 1 GiB'],
  [1.5, 'Must be a whole number of GiB'],
  [1024, 'Can be at most 1023 GiB'],
  [3, 'Must be as large as the selected image (at least 4 GiB)'],
  [4, undefined],
  [1023, undefined],
])('a size of %s GiB for an image of 4 GiB: %s', (gib, expected) => {
  expect(diskGibProblem(gib, { label: 'Disk size', source: 'image', sourceBytes: 4 * GiB })).toBe(expected)
})

test.each([
  [3, 'A read-only disk has the size of its image (4 GiB)'],
  [4, undefined],
  [5, 'A read-only disk has the size of its image (4 GiB)'],
])('a size of %s GiB for a read-only disk of an image of 4 GiB: %s', (gib, expected) => {
  const of = { label: 'Size', source: 'image', sourceBytes: 4 * GiB, readOnly: true }
  expect(diskGibProblem(gib, of)).toBe(expected)
})

const disk = (name: string, state: 'creating' | 'detached' | 'faulted' | 'maintenance') => ({
  name,
  state: { state },
})

test('disks in creating or detached state can be attached, unless their name is in use', () => {
  const disks = [
    disk('new', 'creating'),
    disk('old', 'detached'),
    disk('broken', 'faulted'),
    disk('copied', 'maintenance'),
    disk('queued', 'detached'),
  ]
  expect(attachable(disks, ['queued']).map(({ name }) => name)).toEqual(['new', 'old'])
})
