import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder, writeFully } from '../blocks/block-files-io.ts'
import { CHUNK, needName, objectPaths } from '../blocks/block-paths.ts'
import { syncTree } from '../database/pglite/sync-files.js'
import { hostFile, volumeFile, volumesFolder } from '../fleet/qemu/host/folders.ts'
import type { FleetHead, ObjectHead } from './format.ts'

interface Open {
  data: FileHandle
  /** The block store's; a volume has none. */
  map: FileHandle | undefined
}

/** Where objects and volumes go, in folders that are empty. */
export interface RestoredTo {
  blocks: string
  fleet: string
}

/** Writes the objects of a backup in sequence, preserving holes. */
export async function restoredObjects({ blocks, fleet }: RestoredTo) {
  await fs.mkdir(blocks, { recursive: true, mode: 0o700 })
  let hasFleet = false
  let open: Open | undefined
  const close = async (): Promise<void> => {
    const files = open
    open = undefined
    await files?.data.close()
    await files?.map?.close()
  }
  return {
    async fleet({ host }: FleetHead): Promise<void> {
      hasFleet = true
      await fs.mkdir(volumesFolder(fleet), { recursive: true, mode: 0o700 })
      await fs.writeFile(hostFile(fleet), `${host}\n`, { mode: 0o600 })
    },
    async object({ id, size, isVolume }: ObjectHead): Promise<void> {
      await close()
      if (isVolume && !hasFleet) throw new Error('a volume came before its fleet')
      const { folder, data, map } = isVolume ? volumePaths(fleet, id) : objectPaths(blocks, id)
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      const opened: Open = { data: await fs.open(data, 'wx', 0o600), map: undefined }
      open = opened
      await opened.data.truncate(size)
      if (map === undefined) return
      opened.map = await fs.open(map, 'wx', 0o600)
      await opened.map.truncate(Math.ceil(size / CHUNK))
    },
    async piece(chunk: number, bytes: Uint8Array): Promise<void> {
      if (!open) throw new Error('a piece came before its object')
      await writeFully(open.data, bytes, chunk * CHUNK)
      if (open.map) await writeFully(open.map, new Uint8Array([1]), chunk)
    },
    close,
    /** Everything is on disk when it resolves. Says whether there is a fleet of real machines. */
    async finish(): Promise<boolean> {
      await close()
      for (const folder of hasFleet ? [blocks, fleet] : [blocks]) {
        await syncTree(folder)
        await syncFolder(folder)
      }
      return hasFleet
    },
  }
}

function volumePaths(fleet: string, id: string): { folder: string; data: string; map?: undefined } {
  const folder = path.join(volumesFolder(fleet), needName(id))
  return { folder, data: volumeFile(folder) }
}
