import type { Source } from './source.ts'

/** A file in memory that records which bytes were read. */
export function fakeSource(bytes: Uint8Array<ArrayBuffer>): Source & { reads: number[] } {
  const reads: number[] = []
  return {
    size: bytes.length,
    reads,
    release: () => undefined,
    part: ({ offset, length }) => new Blob([bytes.slice(offset, offset + length)]),
    async read({ offset, length }) {
      reads.push(offset)
      return bytes.slice(offset, offset + length)
    },
  }
}

/** Bytes that are zero exactly in the given pieces. */
export function someBytes(pieces: number, pieceBytes: number, zeroPieces: readonly number[] = []) {
  const bytes = new Uint8Array(pieces * pieceBytes)
  for (let index = 0; index < pieces; index++)
    if (!zeroPieces.includes(index)) bytes.fill(index + 1, index * pieceBytes, (index + 1) * pieceBytes)
  return bytes
}
