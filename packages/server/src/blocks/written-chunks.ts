import { z } from 'zod'
import { CHUNK } from './block-paths.ts'

/** An extent is a line of about 130 bytes. */
const LINE_MAX = 4096

const extent = z.object({ start: z.int(), length: z.int(), data: z.boolean(), zero: z.boolean() })

/**
 * Reads the extents that `qemu-img map --output=json` prints of a raw file of this size: which of its chunks hold more
 * than holes, one byte for each, as the block store keeps them.
 */
export function writtenChunks(size: number) {
  const written = new Uint8Array(Math.ceil(size / CHUNK))
  let rest = ''
  // One extent a line, in the brackets and commas of a list.
  const read = (line: string): void => {
    const text = line.replace(/^\[|[,\]]+\s*$/g, '').trim()
    if (text === '') return
    const { start, length, data, zero } = extent.parse(JSON.parse(text))
    if (data && !zero) written.fill(1, Math.floor(start / CHUNK), Math.ceil((start + length) / CHUNK))
  }
  return {
    take: (piece: Buffer): void => {
      const lines = (rest + piece.toString('utf8')).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LINE_MAX) throw new Error('qemu-img map printed a line without an end')
      for (const line of lines) read(line)
    },
    end(): Uint8Array {
      read(rest)
      return written
    },
  }
}
