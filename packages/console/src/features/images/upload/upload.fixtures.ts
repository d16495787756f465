import type { Source } from './source.ts'

/** A file in memory that notes what was read of it. */
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

/** Bytes that are zero in the pieces that are named and nowhere else. */
export function someBytes(pieces: number, pieceBytes: number, zeroPieces: readonly number[] = []) {
  const bytes = new Uint8Array(pieces * pieceBytes)
  for (let index = 0; index < pieces; index++)
    if (!zeroPieces.includes(index)) bytes.fill(index + 1, index * pieceBytes, (index + 1) * pieceBytes)
  return bytes
}
