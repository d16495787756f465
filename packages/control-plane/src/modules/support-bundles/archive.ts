import type { SupportBundleFile } from '../../db/tables.ts'

export interface NewFile {
  path: string
  bytes: Uint8Array
}

/**
 * A zip archive without compression, so that any range of any file is a range of the archive. `files` says
 * where each is.
 */
export function zipOf(
  given: readonly NewFile[],
  time: Date,
): { bytes: Uint8Array; files: SupportBundleFile[] } {
  const pieces: Uint8Array[] = []
  const directory: Uint8Array[] = []
  const files: SupportBundleFile[] = []
  let at = 0
  const add = (piece: Uint8Array): void => {
    pieces.push(piece)
    at += piece.length
  }
  for (const { path, bytes } of given) {
    const name = new TextEncoder().encode(path)
    const facts = factsOf(name, bytes, time)
    const start = at
    add(record(localHeader, [...facts], name))
    files.push({ path, offset: at, size: bytes.length })
    add(bytes)
    // Comment, disk, and attributes: none, the first, and a plain file. Last, where the entry starts.
    directory.push(
      record(directoryHeader, [[2, 20], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, start]], name),
    )
  }
  const startOfDirectory = at
  for (const entry of directory) add(entry)
  const count = given.length
  add(
    record(endOfDirectory, [
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
      [4, at - startOfDirectory],
      [4, startOfDirectory],
      [2, 0],
    ]),
  )
  return { bytes: joined(pieces, at), files }
}

// Signatures of the zip format's records (PKWARE's APPNOTE, 4.3).
const localHeader = 0x04034b50
const directoryHeader = 0x02014b50
const endOfDirectory = 0x06054b50
/** Names are UTF-8. */
const utf8Flag = 0x0800

/** A width in bytes and a value, least significant byte first. */
type Field = readonly [2 | 4, number]

/** What both headers of a file say: version, flags, no compression, time, checksum, sizes, and name. */
function factsOf(name: Uint8Array, bytes: Uint8Array, time: Date): Field[] {
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const { length } = bytes
  return [
    [2, 20],
    [2, utf8Flag],
    [2, 0],
    [2, clock],
    [2, day],
    [4, crc32(bytes)],
    [4, length],
    [4, length],
    [2, name.length],
    [2, 0],
  ]
}

function record(signature: number, fields: readonly Field[], name = new Uint8Array()): Uint8Array {
  const all: Field[] = [[4, signature], ...fields]
  const length = all.reduce((sum, [width]) => sum + width, 0)
  const bytes = new Uint8Array(length + name.length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [width, value] of all) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += width
  }
  bytes.set(name, at)
  return bytes
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (crcTable[(sum ^ byte) & 0xff] ?? 0)
  return (sum ^ 0xffffffff) >>> 0
}
