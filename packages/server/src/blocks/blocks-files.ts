import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { BlockStore } from '@gantry/control-plane/blocks/block-store'
import { digestOf } from './block-digest.ts'
import {
  canShareBlocks,
  cloneFile,
  isMissing,
  missing,
  occupiedBytes,
  readFully,
  syncFolder,
  unlessMissing,
  withFile,
  writeFully,
} from './block-files-io.ts'
import { openObjects } from './block-open-files.ts'
import { CHUNK, objectPaths, type Paths, pathsIn, UNFINISHED } from './block-paths.ts'
import { boundless, type FreeSpace } from '../space/free-space.ts'
import { explainFull, isFull } from '../space/full-volume.ts'

const zeros = Buffer.alloc(CHUNK)
const WRITTEN = new Uint8Array([1])
/** Unfinished copies older than this belong to no running process. */
const STALE_MS = 24 * 60 * 60 * 1000

/**
 * SHA-256 cannot skip zeros: a terabyte of them would occupy a core for a quarter of an hour, for nothing.
 */
const DIGEST_MAX = 64 * 1024 * 1024 * 1024

/** A block store whose objects are files, with operations for a fleet that keeps its disks in files beside it. */
export interface FileBlocks extends BlockStore {
  /** The file of an immutable object, and the maximum of its bytes outside holes. */
  source: (id: string) => Promise<{ file: string; written: number }>
  /**
   * Moves a folder on the same volume, whose file `data` is complete, into the store. `written` has one byte for each
   * chunk: whether it holds more than holes. If the object exists, it and the folder stay unchanged.
   */
  adopt: (id: string, folder: string, object: { size: number; written: Uint8Array }) => Promise<void>
  /** The folder for work that becomes objects. The store removes what is left there for a day. */
  readonly unfinished: string
  /** Whether copies on the volume take no space. */
  readonly sharesBlocks: boolean
}

/** Block store over files in `directory`, which several server processes may share. */
export async function fileBlocks(directory: string, space: FreeSpace = boundless): Promise<FileBlocks> {
  const unfinished = path.join(directory, UNFINISHED)
  await fs.mkdir(unfinished, { recursive: true, mode: 0o700 })
  await removeStale(unfinished)
  const sharesBlocks = await canShareBlocks(unfinished)

  const pathsOf = (id: string): Paths => objectPaths(directory, id)

  const openFiles = openObjects()

  return {
    async create(id, size, from) {
      const target = pathsOf(id)
      if ((await sizeOf(target)) !== undefined) return
      const made = pathsIn(path.join(unfinished, randomUUID()))
      try {
        await makeEmpty(made)
        if (from !== undefined) await clone(pathsOf(from), made, from, space)
        await finish(made, size)
        await place(made.folder, target.folder)
      } catch (error) {
        throw explainFull(error)
      } finally {
        await fs.rm(made.folder, { recursive: true, force: true })
      }
    },

    needRoom: (bytes) => space.taking(bytes, async () => {}),

    async needRoomFor(from) {
      if (sharesBlocks) return
      const written = await unlessMissing(fs.readFile(pathsOf(from).map))
      await space.taking(written ? writtenBytes(written) : 0, async () => {})
    },

    async written(id) {
      const map = await unlessMissing(fs.readFile(pathsOf(id).map))
      if (!map) throw missing(id, undefined)
      return (offset, length) => chunksOf(offset, length).some((chunk) => map[chunk])
    },

    read: (id, offset, length) =>
      withFile(pathsOf(id).data, 'r', id, async (file) => {
        const { size } = await file.stat()
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
        await readFully(file, bytes, offset)
        return bytes
      }),

    async write(id, offset, bytes) {
      const write = (): Promise<void> =>
        openFiles.use(id, pathsOf(id), async (file) => {
          if (offset + bytes.length > file.size) throw new Error('write beyond the end of the block object')
          if (bytes.length === 0) return
          // The map first: a chunk marked without bytes costs a copy a little time, an unmarked one its
          // bytes.
          const marked = await file.mark(chunksOf(offset, bytes.length))
          const written = writeFully(file.data, bytes, offset).then(() => file.syncData())
          await settledAll([marked.synced, written])
        })
      await space.taking(bytes.length, write).catch(rethrowFull)
    },

    async grow(id, size) {
      // Who has it open knows its old size.
      await openFiles.close(id)
      const own = await sizeOf(pathsOf(id))
      if (own === undefined) throw missing(id, undefined)
      if (own < size) await finish(pathsOf(id), size).catch(rethrowFull)
    },
    async zero(id, offset, length) {
      await openFiles
        .use(id, pathsOf(id), async (file) => {
          if (offset + length > file.size) throw new Error('write beyond the end of the block object')
          // Unwritten chunks need no work, however large the range.
          const written = await fs.readFile(pathsOf(id).map)
          const buffer = Buffer.alloc(CHUNK)
          for (const chunk of chunksOf(offset, length)) {
            if (!written[chunk]) continue
            const from = Math.max(offset, chunk * CHUNK)
            const bytes = buffer.subarray(0, Math.min(offset + length, (chunk + 1) * CHUNK) - from)
            await readFully(file.data, bytes, from)
            if (!zeros.subarray(0, bytes.length).equals(bytes))
              await writeFully(file.data, zeros.subarray(0, bytes.length), from)
          }
          await file.syncData()
        })
        .catch(rethrowFull)
    },

    async digest(id) {
      const { data, map } = pathsOf(id)
      const size = await sizeOf(pathsOf(id))
      if (size === undefined) throw missing(id, undefined)
      return size > DIGEST_MAX ? undefined : digestOf({ data, map, chunkSize: CHUNK })
    },

    async remove(id) {
      await openFiles.close(id)
      // Renamed first, so that a kill leaves either the whole object or none of it.
      const gone = path.join(unfinished, randomUUID())
      try {
        await fs.rename(pathsOf(id).folder, gone)
      } catch (error) {
        if (isMissing(error)) return
        // Without space for the rename it is removed in place: a kill may leave half of it, but space is
        // freed.
        if (!isFull(error)) throw error
        await fs.rm(pathsOf(id).folder, { recursive: true, force: true })
      }
      await fs.rm(gone, { recursive: true, force: true })
    },

    async size(id) {
      return sizeOf(pathsOf(id))
    },

    occupied: async (id) => occupiedBytes(await unlessMissing(fs.stat(pathsOf(id).data))),

    async source(id) {
      const { data, map } = pathsOf(id)
      const written = await fs.readFile(map).catch((error: unknown) => {
        throw isMissing(error) ? missing(id, error) : error
      })
      return { file: data, written: writtenBytes(written) }
    },

    async adopt(id, folder, { size, written }) {
      const target = pathsOf(id)
      if ((await sizeOf(target)) !== undefined) return
      const made = pathsIn(folder)
      try {
        await fs.writeFile(made.map, written, { mode: 0o600 })
        await finish(made, size)
        await place(made.folder, target.folder)
      } catch (error) {
        throw explainFull(error)
      }
    },

    unfinished,

    sharesBlocks,
  }
}

/** The numbers of the chunks that a range touches. */
function chunksOf(offset: number, length: number): number[] {
  const first = Math.floor(offset / CHUNK)
  const count = length === 0 ? 0 : Math.floor((offset + length - 1) / CHUNK) - first + 1
  return Array.from({ length: count }, (_, index) => first + index)
}

/** Waits for all: the files stay open until every write and sync has ended. */
async function settledAll(works: Promise<void>[]): Promise<void> {
  await Promise.allSettled(works)
  await Promise.all(works)
}

function rethrowFull(error: unknown): never {
  throw explainFull(error)
}

const sizeOf = async (object: Paths): Promise<number | undefined> =>
  (await unlessMissing(fs.stat(object.data)))?.size

async function makeEmpty(made: Paths): Promise<void> {
  await fs.mkdir(made.folder, { mode: 0o700 })
  await fs.writeFile(made.data, '', { mode: 0o600 })
  await fs.writeFile(made.map, '', { mode: 0o600 })
}

/** A clone that shares its blocks if the file system supports it, else a copy of the written chunks. */
async function clone(source: Paths, made: Paths, id: string, space: FreeSpace): Promise<void> {
  try {
    await cloneFile(source.data, made.data)
    // After the data: writers mark the map first, so the later map covers the earlier data.
    await fs.copyFile(source.map, made.map)
  } catch (error) {
    if (isMissing(error)) throw missing(id, error)
    await copyWritten(source, made, id, space)
  }
}

async function copyWritten(source: Paths, made: Paths, id: string, space: FreeSpace): Promise<void> {
  // A failed clone removed the empty file.
  await fs.writeFile(made.data, '', { mode: 0o600 })
  const written = await fs.readFile(source.map)
  await space.taking(writtenBytes(written), (wrote) =>
    withFile(source.data, 'r', id, (from) =>
      withFile(made.data, 'r+', id, (to) =>
        withFile(made.map, 'r+', id, async (map) => {
          const { size } = await from.stat()
          const buffer = new Uint8Array(CHUNK)
          for (const [chunk, isWritten] of written.entries()) {
            const bytes = buffer.subarray(0, Math.max(0, Math.min(CHUNK, size - chunk * CHUNK)))
            if (!isWritten || bytes.length === 0) continue
            await readFully(from, bytes, chunk * CHUNK)
            // Written zeros read the same as a hole.
            if (bytes.length === CHUNK && zeros.equals(bytes)) continue
            await writeFully(to, bytes, chunk * CHUNK)
            await writeFully(map, WRITTEN, chunk)
            wrote(bytes.length)
          }
        }),
      ),
    ),
  )
}

/** The maximum size of a copy, by the object's map. */
function writtenBytes(map: Uint8Array): number {
  let chunks = 0
  for (const isWritten of map) if (isWritten) chunks += 1
  return chunks * CHUNK
}

/** Moves an object to its place as a whole. If another process created it first, that one is kept. */
async function place(made: string, target: string): Promise<void> {
  const parent = path.dirname(target)
  await fs.mkdir(parent, { recursive: true, mode: 0o700 })
  try {
    await fs.rename(made, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM') {
      if ((await sizeOf(pathsIn(target))) !== undefined) return
    }
    throw error
  }
  await syncFolder(parent)
}

/** Sets the size of both files and syncs them, so that a rename never exposes an incomplete object. */
async function finish(made: Paths, size: number): Promise<void> {
  await withFile(made.data, 'r+', made.data, async (file) => {
    await file.truncate(size)
    await file.sync()
  })
  await withFile(made.map, 'r+', made.map, async (file) => {
    await file.truncate(Math.ceil(size / CHUNK))
    await file.sync()
  })
  await syncFolder(made.folder)
}

/** Work of killed processes; what is still in use is newer. */
export async function removeStale(unfinished: string): Promise<void> {
  for (const name of await fs.readdir(unfinished)) {
    const file = path.join(unfinished, name)
    const modified = await fs.stat(file).catch(() => undefined)
    if (modified && Date.now() - modified.mtimeMs > STALE_MS)
      await fs.rm(file, { recursive: true, force: true })
  }
}
