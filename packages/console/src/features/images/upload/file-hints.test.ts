import { expect, test } from 'vitest'
import { blockSizeHint, bootHints, probe } from './file-hints.ts'

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
  async (marks, efiAt, isCd) => expect(await probe(file(...marks))).toEqual({ efiAt, isCd }),
)

test('reads a file shorter than the probed offsets', async () =>
  expect(await probe(new Blob(['x']))).toEqual({ efiAt: undefined, isCd: false }))

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

test.each([
  [512, false, 'a.raw', 0],
  [undefined, true, 'a.iso', 0],
  [undefined, false, 'a.raw', 1],
  [512, false, 'a.raw.GZ', 1],
  [undefined, false, 'a.qcow2', 2],
  [undefined, false, 'a.vmdk', 2],
  [undefined, false, 'gz', 1],
])('EFI at %s, CD %s, named %s: %i hints', (efiAt, isCd, name, expected) =>
  expect(bootHints({ efiAt, isCd }, name)).toHaveLength(expected),
)
