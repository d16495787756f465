import { createReadStream } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { GiB, shownBytes } from '@gantry/api/base/bytes.rules'
import { type Compression, nounOf } from '@gantry/api/storage/image-format.rules'
import { UnusableImageFile } from '@gantry/control-plane/blocks/image-converter'
import type { FreeSpace } from '../space/free-space.ts'
import type { Limits } from './confined-command.ts'
import { runTool } from './run-tool.ts'
import { SparseWriter } from './sparse-writer.ts'

const PIECE = 1024 * 1024

export interface Unpacking {
  format: Compression
  from: string
  to: FileHandle
  maxBytes: number
  space: FreeSpace
  limits: Limits
  /** The program of the host, for formats that Node does not support. */
  program: string | undefined
  reserve: (bytes: number) => Promise<void>
  /** Called with the first bytes, before they are written; throws to refuse. */
  begin: (head: Uint8Array) => void
  /** The share of the compressed file that has been read, from 0 to 1. */
  progress: (part: number) => void
  signal: AbortSignal
}

/** Unpacks a file to a sparse one, up to a maximum; the size in the file is ignored. */
export async function unpack(unpacking: Unpacking): Promise<{ size: number; written: Uint8Array }> {
  const { format, from, to, maxBytes, space, reserve, begin, progress } = unpacking
  const { size: fromBytes } = await fs.stat(from)
  const writer = new SparseWriter(to, maxBytes, space)
  let reserved = 0
  const take = async (bytes: Buffer): Promise<void> => {
    if (writer.size === 0) begin(bytes)
    const size = writer.size + bytes.length
    if (size > maxBytes) throw tooLarge(format, maxBytes)
    // In large steps, because each is a change of the upload.
    if (size > reserved) await reserve((reserved = Math.min(maxBytes, Math.ceil(size / GiB) * GiB)))
    await writer.append(bytes)
    progress(Math.min(1, source.bytesRead / fromBytes))
  }
  const source = createReadStream(from, { highWaterMark: PIECE })
  try {
    await decompress(unpacking, source, take)
  } finally {
    source.destroy()
  }
  if (writer.size === 0) throw unreadable(format, 'it holds no bytes')
  return { written: await writer.end(), size: writer.size }
}

async function decompress(
  { format, program, limits, signal }: Unpacking,
  source: Readable,
  take: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  if (format !== 'gzip') {
    if (program === undefined) throw new Error(`there is no program for ${format}`)
    await runTool({ program, args: ['-d', '-c'], limits }, { signal, stdin: source, onOutput: take })
    return
  }
  // Unpacks on other threads; this one only receives the pieces.
  const pieces = addAbortSignal(signal, createGunzip({ chunkSize: PIECE }))
  source.on('error', (error) => pieces.destroy(error)).pipe(pieces)
  try {
    for await (const piece of pieces) await take(piece as Buffer)
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = error as NodeJS.ErrnoException
    throw typeof code === 'string' && code.startsWith('Z_') ? unreadable(format, message) : error
  }
}

/** A file that unpacks to more is an attack, or not meant for this server. */
const tooLarge = (format: Compression, maxBytes: number): UnusableImageFile =>
  new UnusableImageFile(
    `The file is ${nounOf(format)} that unpacks to more than ${shownBytes(maxBytes)}.`,
    'Use a smaller image, or ask the operator to raise the limit.',
  )

const unreadable = (format: Compression, why: string): UnusableImageFile =>
  new UnusableImageFile(
    `The file is ${nounOf(format)} that cannot be unpacked: ${why}.`,
    'Get the file again, or unpack it first, then upload it again.',
  )
