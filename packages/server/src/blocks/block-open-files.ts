import fs, { type FileHandle } from 'node:fs/promises'
import { isMissing, missing, writeFully } from './block-files-io.ts'
import { sharedSync } from './block-sync.ts'

/** How long an object stays open after its last write. */
const IDLE_MS = 1000
/** Chunks marked together: a sequential upload then syncs the map once for many of its writes. */
const MARKED_AT_ONCE = 64

/** An object that is being written in this process. */
interface OpenObject {
  data: FileHandle
  size: number
  /** Resolves when the marks are written; `synced` resolves when they are on disk. */
  mark: (chunks: readonly number[]) => Promise<{ synced: Promise<void> }>
  syncData: () => Promise<void>
}

interface Entry {
  opened: Promise<OpenObject & { close: () => Promise<void> }>
  users: number
  idle?: NodeJS.Timeout
}

/**
 * Keeps objects open while they are written: otherwise each piece would wait for a thread three times as
 * often.
 */
export function openObjects() {
  const entries = new Map<string, Entry>()

  /** The next caller reopens it; the last current user closes it. */
  async function forget(id: string, entry: Entry): Promise<void> {
    clearTimeout(entry.idle)
    if (entries.get(id) === entry) entries.delete(id)
    if (entry.users > 0) return
    const file = await entry.opened.catch(() => undefined)
    await file?.close()
  }

  return {
    async use<T>(
      id: string,
      paths: { data: string; map: string },
      work: (file: OpenObject) => Promise<T>,
    ): Promise<T> {
      const entry: Entry = entries.get(id) ?? { opened: open(id, paths), users: 0 }
      entries.set(id, entry)
      clearTimeout(entry.idle)
      entry.users++
      try {
        return await work(await entry.opened)
      } catch (error) {
        if (entries.get(id) === entry) entries.delete(id)
        throw error
      } finally {
        entry.users--
        if (entries.get(id) !== entry) await forget(id, entry)
        else if (entry.users === 0)
          entry.idle = setTimeout(() => void forget(id, entry).catch(() => {}), IDLE_MS).unref()
      }
    },
    async close(id: string): Promise<void> {
      const entry = entries.get(id)
      if (entry) await forget(id, entry)
    },
  }
}

async function open(id: string, paths: { data: string; map: string }) {
  const [data, map] = await openBoth(id, paths)
  const { size } = await data.stat()
  const { size: chunks } = await map.stat()
  const shareData = sharedSync()
  const shareMap = sharedSync()
  /** Groups of chunks by the state of their marks; marks by earlier processes are unknown here. */
  const written = new Map<number, Promise<void>>()
  const synced = new Map<number, Promise<void>>()

  const once = (
    known: Map<number, Promise<void>>,
    group: number,
    work: () => Promise<void>,
  ): Promise<void> => {
    const running = known.get(group) ?? work()
    known.set(group, running)
    // A failure is retried by the next caller.
    running.catch(() => known.delete(group))
    return running
  }
  const writeGroup = (group: number): Promise<void> => {
    const first = group * MARKED_AT_ONCE
    return writeFully(map, new Uint8Array(Math.min(MARKED_AT_ONCE, chunks - first)).fill(1), first)
  }
  return {
    data,
    size,
    mark: async (touched: readonly number[]) => {
      const groups = [...new Set(touched.map((chunk) => Math.floor(chunk / MARKED_AT_ONCE)))]
      await Promise.all(groups.map((group) => once(written, group, () => writeGroup(group))))
      const syncs = groups.map((group) => once(synced, group, () => shareMap(() => map.datasync())))
      return { synced: Promise.all(syncs).then(() => {}) }
    },
    syncData: () => shareData(() => data.datasync()),
    close: async () => {
      await Promise.all([data.close(), map.close()])
    },
  }
}

async function openBoth(
  id: string,
  { data, map }: { data: string; map: string },
): Promise<[FileHandle, FileHandle]> {
  const first = await fs.open(data, 'r+').catch((error: unknown) => {
    throw isMissing(error) ? missing(id, error) : error
  })
  try {
    return [first, await fs.open(map, 'r+')]
  } catch (error) {
    await first.close()
    throw isMissing(error) ? missing(id, error) : error
  }
}
