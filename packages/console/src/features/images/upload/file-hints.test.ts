import { expect, test } from 'vitest'
import { qcow2File } from '@gantry/api/storage/image-file.fixtures'
import { blockSizeHint, bootHint, probe } from './file-hints.ts'

function file(...marks: [number, string][]): Blob {
  const bytes = new Uint8Array(0x9000)
  for (const [at, text] of marks) bytes.set(new TextEncoder().encode(text), at)
  return new Blob([bytes])
}

test.each([
  [[], undefined, false],
  [[[512, 'EFI PART']], 512, false],
  [[[2048, 'EFI PART']], 2048, false],
  [[[4096, 'EFI PART']], 4096, false],
  [
    [
      [512, 'EFI PART'],
      [4096, 'EFI PART'],
    ],
    512,
    false,
  ],
  [[[513, 'EFI PART']], undefined, false],
  [[[0x8001, 'CD001']], undefined, true],
  [
    [
      [512, 'EFI PART'],
      [0x8001, 'CD001'],
    ],
    512,
    true,
  ],
] as [[number, string][], number | undefined, boolean][])(
  'finds the signatures %j',
  async (marks, efiAt, isCd) =>
    expect(await probe(file(...marks))).toEqual({ efiAt, isCd, kind: 'raw', header: undefined }),
)

test('reads a file shorter than the probed offsets', async () =>
  expect(await probe(new Blob(['x']))).toMatchObject({ efiAt: undefined, isCd: false, kind: 'raw' }))

test.each([
  [512, false, 512, false],
  [512, false, 4096, true],
  [2048, true, 512, true],
  [512, true, 512, false],
  [undefined, true, 2048, false],
  [undefined, true, 512, true],
  [undefined, false, 512, false],
])('EFI at %s, CD %s, blocks of %i: shows a hint: %s', (efiAt, isCd, blockSize, expected) =>
  expect(blockSizeHint({ efiAt, isCd }, blockSize) !== undefined).toBe(expected),
)

test('recognises a file, and reads the header of a disk image', async () => {
  expect(await probe(new Blob([qcow2File({ size: 1024 ** 3 })]))).toMatchObject({
    kind: 'qcow2',
    header: { size: 1024 ** 3 },
  })
  const hostile = qcow2File({ size: 1024 ** 3, backingFile: '/etc/shadow' })
  expect((await probe(new Blob([hostile]))).header?.problem?.message).toContain('has a backing file')
  expect(await probe(new Blob([new Uint8Array([0x1f, 0x8b, 8])]))).toMatchObject({
    kind: 'gzip',
    header: undefined,
  })
})

test.each([
  [512, false, 'raw', false],
  [undefined, true, 'raw', false],
  [undefined, false, 'raw', true],
  [undefined, false, 'qcow2', false],
  [undefined, false, 'zip', false],
] as const)('EFI at %s, CD %s, %s: shows a hint: %s', (efiAt, isCd, kind, expected) =>
  expect(bootHint({ efiAt, isCd, kind }) !== undefined).toBe(expected),
)
