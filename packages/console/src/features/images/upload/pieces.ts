import type { ByteRange } from '@gantry/api/image-upload.rules'

/** Cuts ranges into pieces up to this size, in order and lazily. */
export function* piecesOf(ranges: Iterable<ByteRange>, pieceBytes: number): Generator<ByteRange> {
  for (const { offset, length } of ranges)
    for (let at = 0; at < length; at += pieceBytes)
      yield { offset: offset + at, length: Math.min(pieceBytes, length - at) }
}

/** Whether all bytes are zero and need not be sent. */
export function isZero(bytes: Uint8Array<ArrayBuffer>): boolean {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2)
  return words.every(isZeroWord) && bytes.subarray(words.length * 4).every(isZeroWord)
}

const isZeroWord = (value: number): boolean => value === 0

export const bytesIn = (ranges: readonly ByteRange[]): number =>
  ranges.reduce((sum, { length }) => sum + length, 0)
