import { expect, test } from 'vitest'
import { imageFileOf } from './image-file.fixtures.ts'
import { isoFile } from './cd.fixtures.ts'
import { cdBoots, readCdKind } from './cd.rules.ts'

const kindOf = (bytes: Uint8Array) => readCdKind(imageFileOf(bytes))

test.each([
  ['nothing', new Uint8Array(64 * 1024), 'none'],
  ['a file that ends before', new Uint8Array(1000), 'none'],
  ['data', isoFile(), 'data'],
  ['a boot loader of a BIOS', isoFile([0]), 'bios'],
  ['one of UEFI', isoFile([0xef]), 'uefi'],
  ['both', isoFile([0, 0xef]), 'either'],
  ['one of another platform', isoFile([2]), 'data'],
  ['a catalogue beyond its end', isoFile([0], { catalogue: 1_000_000 }), 'data'],
])('a CD with %s', async (_, bytes, kind) => expect(await kindOf(bytes)).toBe(kind))

test('little is read, whatever the bytes say', async () => {
  const bytes = new Uint8Array(200 * 2048)
  for (let at = 16; at < 200; at++) bytes.set(isoFile().subarray(16 * 2048, 17 * 2048), at * 2048)
  const file = imageFileOf(bytes)
  expect(await readCdKind(file)).toBe('data')
  expect(file.reads.bytes).toBeLessThanOrEqual(17 * 2048)
})

test('what boots by which firmware', () => {
  expect((['data', 'bios', 'uefi', 'either', null] as const).map((kind) => cdBoots(kind, 'uefi'))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
})
