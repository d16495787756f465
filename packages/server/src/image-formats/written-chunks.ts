import { CHUNK } from '../block-paths.ts'

/** An extent is a line of about 130 bytes. */
const LINE_MAX = 4096

/** Reads the list of extents that `qemu-img map` prints: which chunks of a raw file hold more than holes. */
export function writtenChunks(size: number) {
  const written = new Uint8Array(Math.ceil(size / CHUNK))
  let rest = ''
  const read = (line: string): void => {
    const text = line.replace(/^\[|[,\]]+\s*$/g, '').trim()
    if (text === '') return
    const { start, length, data, zero } = JSON.parse(text) as Record<string, unknown>
    if (typeof start !== 'number' || typeof length !== 'number') throw new Error(`no extent: ${text}`)
    if (data !== false && zero !== true)
      written.fill(1, Math.floor(start / CHUNK), Math.ceil((start + length) / CHUNK))
  }
  return {
    take: (piece: Buffer): void => {
      const lines = (rest + piece.toString('utf8')).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LINE_MAX) throw new Error('qemu-img map prints a line without end')
      for (const line of lines) read(line)
    },
    end(): Uint8Array {
      read(rest)
      return written
    },
  }
}
