import { expect, test } from 'vitest'
import { sourceOf } from './source.ts'

const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251)
const source = sourceOf(new Blob([bytes]))

test('reads a part into released memory', async () => {
  const first = await source.read({ offset: 1000, length: 600_000 })
  expect(first).toEqual(bytes.slice(1000, 601_000))
  source.release(first)
  const { buffer } = first
  const shorter = await source.read({ offset: 999_000, length: 1000 })
  expect(shorter).toEqual(bytes.slice(999_000))
  // Reading transfers the buffer, so the released one is detached.
  expect(buffer.byteLength).toBe(0)
  expect(shorter.buffer.byteLength).toBe(600_000)
})

test('parts read concurrently do not share memory', async () => {
  const ranges = [0, 100_000, 200_000].map((offset) => ({ offset, length: 100_000 }))
  const read = await Promise.all(ranges.map((range) => source.read(range)))
  expect(read).toEqual(ranges.map(({ offset, length }) => bytes.slice(offset, offset + length)))
})

test('slices a part for sending without reading it', async () => {
  const part = source.part({ offset: 5, length: 3 })
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(5, 8))
})
