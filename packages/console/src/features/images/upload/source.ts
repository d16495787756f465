import type { ByteRange } from '@gantry/api/image-upload.rules'
import { Failure } from '#/data/failure.ts'

/** The bytes to upload, read in pieces, so that a file of any size needs little memory. */
export interface Source {
  size: number
  read: (range: ByteRange) => Promise<Uint8Array<ArrayBuffer>>
  /** Returns a buffer for reuse: left to the garbage collector, hundreds of pieces would pile up. */
  release: (bytes: Uint8Array<ArrayBuffer>) => void
  /** A part that is read only when sent. */
  part: (range: ByteRange) => Blob
}

export function sourceOf(file: Blob): Source {
  const spare: ArrayBuffer[] = []
  const part = ({ offset, length }: ByteRange) => file.slice(offset, offset + length)
  return {
    size: file.size,
    part,
    async read(range) {
      try {
        const buffer = spare.pop()
        return await readInto(
          buffer && buffer.byteLength >= range.length ? buffer : range.length,
          part(range),
        )
      } catch {
        throw new Failure({
          message: 'The file can no longer be read',
          errorCode: 'FileUnreadable',
          statusCode: 0,
          help: 'It was changed, moved or deleted since it was chosen. Choose it again.',
        })
      }
    },
    release: ({ buffer }) => void spare.push(buffer),
  }
}

/** Reads into an existing buffer, or a new one of the given size, where the browser supports it. */
async function readInto(memory: ArrayBuffer | number, blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const reader = byteReader(blob)
  if (!reader) return new Uint8Array(await blob.arrayBuffer())
  let buffer = typeof memory === 'number' ? new ArrayBuffer(memory) : memory
  for (let at = 0; at < blob.size;) {
    const { value } = await reader.read(new Uint8Array(buffer, at, blob.size - at))
    if (!value?.length) throw new Error('the file ended early')
    buffer = value.buffer
    at += value.length
  }
  return new Uint8Array(buffer, 0, blob.size)
}

/** Undefined in browsers without byte streams for files. */
function byteReader(blob: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return blob.stream().getReader({ mode: 'byob' })
  } catch {
    return undefined
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
