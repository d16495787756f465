import { randomUUID } from 'node:crypto'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { isMissing, readFully, unlessMissing, withFile } from '../blocks/block-files-io.ts'
import { removeStale } from '../blocks/blocks-files.ts'
import { CHUNK, objectPaths, type Paths, pathsIn, UNFINISHED } from '../blocks/block-paths.ts'
import { filling, Problem } from '../problem.ts'

/** The size of an object, and its non-empty chunks; nothing of one that was deleted before it could be held. */
export type ReadObject = (
  id: string,
  head: (size: number) => Promise<void>,
  piece: (chunk: number, bytes: Uint8Array) => Promise<void>,
) => Promise<void>

/** The objects of a block store, held so that concurrent removal cannot affect reading them here. */
export interface HeldBlocks {
  /** Holds objects added since the last call. */
  hold: () => Promise<void>
  has: (id: string) => boolean
  read: ReadObject
  release: () => Promise<void>
}

/** Errors of file systems without hard links. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])
const hexFolder = /^[0-9a-f]{2}$/
const zeros = Buffer.alloc(CHUNK)

/**
 * Holds objects by hard links, which are made at once and take no space. Without them the objects themselves
 * are read, and nothing of one that is removed before its turn.
 */
export async function holdBlocks(directory: string): Promise<HeldBlocks> {
  // In the folder for unfinished files, where a server and the next backup clean up after a killed one.
  const unfinished = path.join(directory, UNFINISHED)
  const links = path.join(unfinished, `backup-${randomUUID()}`)
  const makeFolder = (folder: string) =>
    filling(directory, () => fs.mkdir(folder, { recursive: true, mode: 0o700 }))
  await makeFolder(unfinished)
  await filling(directory, () => removeStale(unfinished))
  await makeFolder(links)
  const held = new Map<string, Paths>()
  const unlinked = new Set<string>()

  const holdOne = async (id: string): Promise<void> => {
    const [real, link] = [objectPaths(directory, id), pathsIn(path.join(links, id))]
    await makeFolder(link.folder)
    try {
      await fs.link(real.data, link.data)
      await fs.link(real.map, link.map)
      held.set(id, link)
    } catch (error) {
      if (isMissing(error)) return
      if (!withoutLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      held.set(id, real)
      unlinked.add(id)
    }
  }
  return {
    async hold() {
      for await (const id of objectsIn(directory)) if (!held.has(id)) await holdOne(id)
    },
    has: (id) => held.has(id),
    async read(id, head, piece) {
      const object = held.get(id) ?? objectPaths(directory, id)
      const now = new Date()
      // A fresh time, so that a long backup is not mistaken for leftovers.
      await fs.utimes(links, now, now)
      let isBegun = false
      const begin = (size: number): Promise<void> => {
        isBegun = true
        return head(size)
      }
      await withFile(object.data, 'r', id, (data) =>
        withFile(object.map, 'r', id, async (map) => readWritten(data, await map.readFile(), begin, piece)),
      ).catch((error: Error) => {
        const isRemoved = unlinked.has(id) && !isBegun && isMissing(error.cause)
        if (!isRemoved) throw error
      })
    },
    release: () => fs.rm(links, { recursive: true, force: true }),
  }
}

export async function readWritten(
  data: FileHandle,
  written: Uint8Array,
  head: (size: number) => Promise<void>,
  piece: (chunk: number, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const { size } = await data.stat()
  await head(size)
  const buffer = new Uint8Array(CHUNK)
  for (const [chunk, isWritten] of written.entries()) {
    const bytes = buffer.subarray(0, Math.max(0, Math.min(CHUNK, size - chunk * CHUNK)))
    if (!isWritten || bytes.length === 0) continue
    await readFully(data, bytes, chunk * CHUNK)
    if (!zeros.subarray(0, bytes.length).equals(bytes)) await piece(chunk, bytes)
  }
}

async function* objectsIn(directory: string): AsyncGenerator<string> {
  for (const first of await foldersIn(directory)) {
    for (const second of await foldersIn(path.join(directory, first)))
      yield* await namesIn(path.join(directory, first, second))
  }
}

const foldersIn = async (folder: string): Promise<string[]> =>
  (await namesIn(folder)).filter((name) => hexFolder.test(name))

/** A server may remove a folder meanwhile. One that cannot be read has bytes that the backup would lack. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await unlessMissing(fs.readdir(folder))) ?? []
  } catch (cause) {
    throw new Problem(
      `${folder} cannot be read (${(cause as Error).message}), and bytes of disks, snapshots and images may be in it. ` +
        'Make it readable, and back up again.',
      { cause },
    )
  }
}
