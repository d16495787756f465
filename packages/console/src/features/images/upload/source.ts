import type { ByteRange } from '@gantry/api/storage/image-upload.rules'
import { bytesOf } from '#/kit/inputs/chosen-file.ts'

/** The bytes to upload, read in pieces, so that a file of any size needs little memory. */
export interface Source {
  size: number
  read: (range: ByteRange) => Promise<Uint8Array<ArrayBuffer>>
  /** Frees the memory of a piece: left to the garbage collector, hundreds of pieces would pile up. */
  release: (bytes: Uint8Array<ArrayBuffer>) => void
  /** A part that is read only when sent. */
  part: (range: ByteRange) => Blob
}

export function sourceOf(file: Blob): Source {
  const part = ({ offset, length }: ByteRange) => file.slice(offset, offset + length)
  return {
    size: file.size,
    part,
    // Not by a stream into memory used again: in Chromium the last read of a file's stream may never end.
    read: (range) => bytesOf(part(range)),
    // Not in Node, which runs the tests, nor in browsers of 2023.
    release: ({ buffer }) => void buffer.transfer?.(0),
  }
}

/** Cuts ranges into pieces up to this size, in order, each when it is needed. */
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
