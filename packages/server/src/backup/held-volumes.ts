import fs from 'node:fs/promises'
import path from 'node:path'
import { unlessMissing, withFile } from '../blocks/block-files-io.ts'
import { pathsIn } from '../blocks/block-paths.ts'
import { lockDataDir, lockHolder } from '../database/data-dir-lock.ts'
import { machineOf } from '../fleet/qemu/machine/arguments.ts'
import { fleetFolder, hostFile, tagFile, volumeFile, volumesFolder } from '../fleet/qemu/host/folders.ts'
import { runningProcesses } from '../fleet/qemu/host/processes.ts'
import { chunksIn } from '../fleet/qemu/volumes/sparse-files.ts'
import { copyOfVolume } from '../fleet/qemu/volumes/volume-copies.ts'
import { type ReadObject, readWritten } from './held-blocks.ts'
import { Problem, sentence } from '../problem.ts'
import { isThere } from './source.ts'

/** The disks of real machines, which may be running. */
export interface HeldVolumes {
  /** The id of the host that they are on; undefined where no real machines are run. */
  host: string | undefined
  has: (id: string) => Promise<boolean>
  /** Whether it was there at the beginning; it may have been deleted since. */
  had: (id: string) => boolean
  /** As of the call; nothing is read of a volume that is gone by now. */
  read: ReadObject
  release: () => Promise<void>
}

/**
 * Reads volumes through the server that runs their machines. Without one, they are read directly, and no server can
 * start meanwhile.
 */
export async function holdVolumes(dataDir: string, signal: AbortSignal): Promise<HeldVolumes> {
  const fleet = fleetFolder(dataDir)
  const host = await textOf(hostFile(fleet))
  const file = (id: string): string => volumeFile(path.join(volumesFolder(fleet), id))
  const has = (id: string): Promise<boolean> => isThere(file(id))
  const first = new Set(await unlessMissing(fs.readdir(volumesFolder(fleet))))
  const had = (id: string): boolean => first.has(id)
  if (host === undefined) return { host, has, had, read: readItself, release: async () => {} }
  if (await lockHolder(fleet)) return { host, has, had, read: readCopy, release: async () => {} }
  const { release } = await sentence(lockDataDir(fleet))
  try {
    await needNoMachines(fleet)
  } catch (error) {
    await release()
    throw error
  }
  return { host, has, had, read: readItself, release }

  async function readCopy(...[id, head, piece]: Parameters<ReadObject>): Promise<void> {
    const copy = await copyOfVolume(fleet, id, signal).catch(async (error: unknown) => {
      if (await has(id)) throw new Problem((error as Error).message, { cause: error })
      return 'deleted' as const
    })
    if (copy === 'deleted') return
    if (!copy) throw new Problem('The server was stopped while its disks were being read. Try again.')
    try {
      const { data, map } = pathsIn(copy.folder)
      await withFile(data, 'r', id, async (handle) =>
        readWritten(handle, await fs.readFile(map), head, piece),
      )
    } finally {
      copy.release()
    }
  }

  async function readItself(...[id, head, piece]: Parameters<ReadObject>): Promise<void> {
    await withFile(file(id), 'r', id, async (handle) => {
      const { size } = await handle.stat()
      await readWritten(handle, await chunksIn(file(id), size, signal), head, piece)
    })
  }
}

/** Machines outlive their server, and only a server reads the disks of those that run at one point in time. */
async function needNoMachines(fleet: string): Promise<void> {
  const tag = (await textOf(tagFile(fleet))) ?? ''
  let count = 0
  for await (const { words } of runningProcesses()) if (machineOf(tag, words) !== undefined) count++
  if (count === 0) return
  throw new Problem(
    `${count === 1 ? 'A machine runs' : `${count} machines run`} without a server. Start the server, and back up again.`,
  )
}

const textOf = async (file: string): Promise<string | undefined> =>
  (await unlessMissing(fs.readFile(file, 'utf8')))?.trim()
