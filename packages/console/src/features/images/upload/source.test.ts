import { expect, test, vi } from 'vitest'
import { isZero, piecesOf, sourceOf } from './source.ts'

const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251)
const source = sourceOf(new Blob([bytes]))

test('reads a part', async () => {
  expect(await source.read({ offset: 1000, length: 600_000 })).toEqual(bytes.slice(1000, 601_000))
  expect(await source.read({ offset: 999_000, length: 1000 })).toEqual(bytes.slice(999_000))
})

test('frees the memory of a part where the browser can', async () => {
  const part = await source.read({ offset: 0, length: 1000 })
  const transfer = vi.fn()
  Object.defineProperty(part.buffer, 'transfer', { value: transfer })
  source.release(part)
  expect(transfer).toHaveBeenCalledWith(0)
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

const cut = (ranges: [number, number][], by: number) =>
  [
    ...piecesOf(
      ranges.map(([offset, length]) => ({ offset, length })),
      by,
    ),
  ].map(({ offset, length }) => [offset, length])

test.each([
  [[], 10, []],
  [[[0, 10]], 10, [[0, 10]]],
  [
    [[0, 25]],
    10,
    [
      [0, 10],
      [10, 10],
      [20, 5],
    ],
  ],
  [
    [
      [5, 12],
      [40, 3],
    ],
    10,
    [
      [5, 10],
      [15, 2],
      [40, 3],
    ],
  ],
] as [[number, number][], number, [number, number][]][])('%j by %i: %j', (ranges, by, expected) =>
  expect(cut(ranges, by)).toEqual(expected),
)

test('pieces are cut one at a time', () => {
  const pieces = piecesOf([{ offset: 0, length: Number.MAX_SAFE_INTEGER }], 1)
  expect(pieces.next().value).toEqual({ offset: 0, length: 1 })
})

test.each([
  [0, undefined, true],
  [4096, undefined, true],
  [4099, undefined, true],
  [4096, 0, false],
  [4096, 4095, false],
  [4099, 4098, false],
])('%i bytes with a one at %s are all zero: %s', (length, at, expected) => {
  const bytes = new Uint8Array(length)
  if (at !== undefined) bytes[at] = 1
  expect(isZero(bytes)).toBe(expected)
})
