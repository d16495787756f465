import { expect, test } from 'vitest'
import type { ImageFormats } from './queries.ts'
import { planOf } from './file-plan.ts'

const GiB = 1024 ** 3
const all: ImageFormats = {
  formats: [
    { format: 'qcow2', whyNot: null },
    { format: 'gzip', whyNot: null },
    { format: 'xz', whyNot: 'The server lacks the program xz (package xz-utils)' },
  ],
  maxSize: 100 * GiB,
  fetch: { whyNot: null, maxSize: 100 * GiB },
}
const problem = { message: 'The file is a qcow2 image that is encrypted.', help: 'Decrypt it first.' }

test('nothing happens to a raw image', () => {
  expect(planOf({ kind: 'raw', header: undefined }, all, false)).toBeUndefined()
  expect(planOf({ kind: 'raw', header: undefined }, all, true)).toBeUndefined()
})

test.each([
  [1, 'of 1 B. Disks made from it need at least 1 GiB.'],
  [10 * GiB, 'of 10 GiB. Disks made from it need at least 10 GiB.'],
  [10.5 * GiB, 'of 10.5 GiB. Disks made from it need at least 11 GiB.'],
])('a disk image is converted: %i bytes', (size, text) =>
  expect(planOf({ kind: 'qcow2', header: { size } }, all, false)).toEqual({
    format: 'qcow2',
    title: 'This is a qcow2 image',
    text: `The server converts it to a raw image ${text}`,
  }),
)

test('a compressed file is unpacked', () =>
  expect(planOf({ kind: 'gzip', header: undefined }, all, false)).toEqual({
    format: 'gzip',
    title: 'This is a gzip file',
    text: 'The server unpacks it to a raw image, whose size is known then.',
  }))

test('before the server has said what it converts, only the file can be a problem', () => {
  expect(planOf({ kind: 'qcow2', header: { size: 200 * GiB } }, undefined, false)?.problem).toBeUndefined()
  expect(planOf({ kind: 'qcow2', header: { problem } }, undefined, false)?.problem).toEqual(problem)
})

test.each([
  [{ kind: 'qcow2', header: { problem } }, problem.message, problem.help],
  [
    { kind: 'qcow2', header: { size: 200 * GiB } },
    'Its disk has 200 GiB, and this server converts at most 100 GiB.',
    'Shrink the disk first, or ask the operator to raise the limit.',
  ],
  [
    { kind: 'xz', header: undefined },
    'The server lacks the program xz (package xz-utils).',
    'Convert it to a raw image first: unxz image.raw.xz',
  ],
  [
    { kind: 'qed', header: undefined },
    'It is not converted to a raw image.',
    'Convert it to a raw image first: qemu-img convert -f qed -O raw image.qed image.raw',
  ],
] as const)('%j cannot be converted, but kept as it is', (found, message, help) => {
  expect(planOf(found, all, false)).toMatchObject({ text: `${message} ${help}`, problem: { message, help } })
  const kept = planOf(found, all, true)
  expect([kept?.format, kept?.problem]).toEqual(['raw', undefined])
  expect(kept?.text).toBe('Its bytes are kept as they are. Disks made from it do not boot.')
})
