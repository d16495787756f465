import fs, { type FileHandle } from 'node:fs/promises'
import { syncFolder, writeFully } from '../block-files-io.ts'
import { CHUNK, objectPaths } from '../block-paths.ts'
import { syncTree } from '../database/pglite/sync-files.js'
import type { ObjectHead } from './format.ts'

interface Open {
  data: FileHandle
  map: FileHandle
}

/** Writes the objects of a backup into an empty store in sequence, preserving holes. */
export async function restoredBlocks(directory: string) {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 })
  let open: Open | undefined
  const close = async (): Promise<void> => {
    const files = open
    open = undefined
    await files?.data.close()
    await files?.map.close()
  }
  return {
    async object({ id, size }: ObjectHead): Promise<void> {
      await close()
      const { folder, data, map } = objectPaths(directory, id)
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      open = { data: await fs.open(data, 'wx', 0o600), map: await fs.open(map, 'wx', 0o600) }
      await open.data.truncate(size)
      await open.map.truncate(Math.ceil(size / CHUNK))
    },
    async piece(chunk: number, bytes: Uint8Array): Promise<void> {
      if (!open) throw new Error('a piece came before its object')
      await writeFully(open.data, bytes, chunk * CHUNK)
      await writeFully(open.map, new Uint8Array([1]), chunk)
    },
    close,
    /** Everything is on disk when it resolves. */
    async finish(): Promise<void> {
      await close()
      await syncTree(directory)
      await syncFolder(directory)
    },
  }
}
