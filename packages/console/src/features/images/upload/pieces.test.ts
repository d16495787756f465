import { expect, test } from 'vitest'
import { isZero, piecesOf } from './pieces.ts'

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

test('pieces are cut lazily', () => {
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
