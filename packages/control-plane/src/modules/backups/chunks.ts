import type { Breath } from '../../context/pauses.ts'
import { chunkBytes, chunkName, chunksPerPage, largest, pagesOf } from './format/layout.ts'
import { Damaged } from './format/sealing.ts'
import { readPage } from './manifests.ts'
import type { Opened } from './opened.ts'

/** Chunks that one backup has in memory at once. */
const chunksAtOnce = 4

/** Runs work on each place, a few at once; the first failure ends it. */
export async function fewAtOnce(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  let hasFailed = false
  const lane = async (): Promise<void> => {
    while (next < count && !hasFailed)
      try {
        await work(next++)
      } catch (error) {
        hasFailed = true
        throw error
      }
  }
  const lanes = await Promise.allSettled(Array.from({ length: chunksAtOnce }, lane))
  for (const { status, ...outcome } of lanes)
    if (status === 'rejected') throw (outcome as { reason: unknown }).reason
}

export function isZero(chunk: Uint8Array<ArrayBuffer>): boolean {
  const whole = chunk.length - (chunk.length % 4)
  const words = new Uint32Array(chunk.buffer, chunk.byteOffset, whole / 4)
  for (const word of words) if (word !== 0) return false
  return chunk.subarray(whole).every((byte) => byte === 0)
}

interface Read {
  backup_id: string
  disks: readonly { size: number }[]
  /** Which of the disks are read; all without it. */
  only?: readonly number[]
  /** Gets every chunk that is not zeros, and the bytes that it covers of those that are. */
  onChunk: (chunk: { disk: number; offset: number; bytes: Uint8Array<ArrayBuffer> }) => Promise<void>
  /** After each page: the bytes of all disks before its end. */
  onPage: (done: number) => Promise<void>
  /** Is told of a chunk that is not what was written, and ends the reading by throwing. */
  onDamage?: (digest: string, error: Damaged) => void
  breath: Breath
}

/** Reads the chunks of a backup, and compares each with its name. Pages come in order, chunks of a page in any. */
export async function readChunks(
  target: Pick<Opened, 'store' | 'sealing'>,
  { backup_id, disks, only, onChunk, onPage, onDamage, breath }: Read,
): Promise<void> {
  let done = 0
  for (const [disk, { size }] of disks.entries()) {
    if (only && !only.includes(disk)) continue
    for (let page = 0; page < pagesOf(size); page++) {
      const first = page * chunksPerPage * chunkBytes
      const names = await readPage(target, backup_id, disk, page)
      const count = Math.min(chunksPerPage, Math.ceil((size - first) / chunkBytes))
      if (names?.length !== count) throw new Damaged('a part of the index is missing')
      await fewAtOnce(count, async (at) => {
        const digest = names[at] ?? null
        if (digest === null) return
        const offset = first + at * chunkBytes
        const length = Math.min(chunkBytes, size - offset)
        try {
          const bytes = await readChunk(target, digest, length)
          await onChunk({ disk, offset, bytes })
        } catch (error) {
          if (!(error instanceof Damaged) || !onDamage) throw error
          onDamage(digest, error)
        }
        await breath()
      })
      done += Math.min(count * chunkBytes, size - first)
      await onPage(done)
    }
  }
}

async function readChunk(
  { store, sealing }: Pick<Opened, 'store' | 'sealing'>,
  digest: string,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = chunkName(digest)
  const sealed = await store.get(name, largest.chunk)
  if (!sealed) throw new Damaged('a chunk is missing')
  const bytes = await sealing.open(name, sealed, chunkBytes)
  if (bytes.length !== length || (await sealing.nameOf(bytes)) !== digest)
    throw new Damaged('a chunk is not what its name says')
  return bytes
}
