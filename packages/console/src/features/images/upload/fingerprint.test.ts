import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'
import { sourceOf } from './source.ts'

const file = (size: number, ...ones: number[]): Blob => {
  const bytes = new Uint8Array(size)
  for (const at of ones) bytes[at] = 1
  return new Blob([bytes])
}
const print = (blob: Blob) => fingerprintOf(sourceOf(blob))

test.each([0, 1, 1000, 65_536, 100_000, 5_000_000])('the same %i bytes have the same', async (size) => {
  expect(await print(file(size))).toBe(await print(file(size)))
})

test.each([
  [1000, 0],
  [1000, 999],
  [5_000_000, 0],
  [5_000_000, 4_999_999],
])('of %i bytes, a change at %i gives another fingerprint', async (size, at) => {
  expect(await print(file(size, at))).not.toBe(await print(file(size)))
})

test('reads at most a megabyte of a large file', async () => {
  let read = 0
  await fingerprintOf({
    size: 2 ** 31,
    async read({ length }) {
      read += length
      return new Uint8Array(length)
    },
  })
  expect(read).toBe(2 ** 20)
})
