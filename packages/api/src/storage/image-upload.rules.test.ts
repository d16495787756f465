import { expect, test } from 'vitest'
import { GiB } from '../base/bytes.rules.ts'
import {
  type ByteRange,
  imageUploadCharge,
  imageUploadRangeProblem,
  imageUploadSizeProblem,
  mergeRanges,
  missingRanges,
} from './image-upload.rules.ts'

const ranges = (...pairs: [number, number][]): ByteRange[] =>
  pairs.map(([offset, length]) => ({ offset, length }))

test.each([
  [[], [], [[0, 100]]],
  [[[0, 100]], [[0, 100]], []],
  [
    [[50, 10]],
    [[50, 10]],
    [
      [0, 50],
      [60, 40],
    ],
  ],
  [
    [
      [60, 40],
      [0, 60],
    ],
    [[0, 100]],
    [],
  ],
  [
    [
      [0, 10],
      [20, 10],
    ],
    [
      [0, 10],
      [20, 10],
    ],
    [
      [10, 10],
      [30, 70],
    ],
  ],
  [
    [
      [0, 50],
      [10, 10],
    ],
    [[0, 50]],
    [[50, 50]],
  ],
  [
    [
      [0, 10],
      [5, 10],
      [15, 1],
    ],
    [[0, 16]],
    [[16, 84]],
  ],
  [
    [
      [0, 10],
      [0, 10],
      [0, 20],
    ],
    [[0, 20]],
    [[20, 80]],
  ],
] as [[number, number][], [number, number][], [number, number][]][])(
  '%j merges to %j and leaves %j of 100',
  (given, merged, missing) => {
    expect(mergeRanges(ranges(...given))).toEqual(ranges(...merged))
    expect(missingRanges(mergeRanges(ranges(...given)), 100)).toEqual(ranges(...missing))
  },
)

test('merging does not mutate its input', () => {
  const given = ranges([0, 10], [10, 10])
  mergeRanges(given)
  expect(given).toEqual(ranges([0, 10], [10, 10]))
})

test.each([
  [512, 512, undefined],
  [3 * 4096, 4096, undefined],
  [1023 * GiB, 512, undefined],
  [0, 512, 'total size must be at least one block'],
  [513, 512, 'total size must be a multiple of block size 512'],
  [1024 * GiB, 512, 'total size must be at most 1023 GiB'],
])('a size of %i in blocks of %i: %s', (size, blockSize, reason) =>
  expect(imageUploadSizeProblem(size, blockSize)?.reason).toBe(reason),
)

test.each([
  [0, 2048, undefined],
  [2048, 6144, undefined],
  [512, 2048, 'offset 512 is not a multiple of block size 2048'],
  [0, 100, 'length 100 is not a multiple of block size 2048'],
  [0, 0, 'the range is empty'],
  [6144, 4096, 'the range ends beyond the size 8192'],
])('the range at %i of %i bytes: %s', (offset, length, problem) =>
  expect(imageUploadRangeProblem({ offset, length }, { size: 8192, block_size: 2048 })).toBe(problem),
)

test.each([
  [1, GiB],
  [GiB, GiB],
  [GiB + 512, 2 * GiB],
])('%i bytes count as %i', (size, charge) => expect(imageUploadCharge(size)).toBe(charge))
