import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { MachineDisk } from '@gantry/control-plane/fleet/fleet'
import { isMissing, occupiedBytes, unlessMissing, writeFully } from '#src/blocks/block-files-io'
import { needName } from '#src/blocks/block-paths'
import { finishedFolders, inUnfinishedFolder, makeFolder, removeFolder } from '../host/durable-file.ts'
import { keyedTurns } from '../host/keyed-turns.ts'
import { volumeFile } from '../host/folders.ts'
import { finishFile } from './sparse-files.ts'

/**
 * Volumes as raw sparse files, each in a folder of its own. They belong to the user of this process: machines inherit
 * them as open files.
 */
export interface VolumeFiles {
  file: (id: string) => string
  size: (id: string) => Promise<number | undefined>
  /** Bytes that the volume takes on the medium. */
  occupied: (id: string) => Promise<number | undefined>
  /** Creates a volume from a file that `fill` creates; false if the volume exists. */
  make: (id: string, size: number, fill: (file: string) => Promise<unknown>) => Promise<boolean>
  /** Runs work in a new folder beside the volumes, and removes it afterwards. */
  inUnfinished: <Result>(work: (folder: string) => Promise<Result>) => Promise<Result>
  write: (id: string, offset: number, bytes: Uint8Array) => Promise<void>
  remove: (id: string) => Promise<void>
  /** Opens volumes for a machine. */
  openAll: (disks: readonly OpenedVolume[]) => Promise<FileHandle[]>
  /** Runs work with exclusive access to these volumes. */
  exclusively: <Result>(ids: readonly string[], work: () => Promise<Result>) => Promise<Result>
  /** Whether other work must end first. */
  areTaken: (ids: readonly string[]) => boolean
}

type OpenedVolume = Pick<MachineDisk, 'content_id' | 'read_only'>

const { O_RDONLY, O_RDWR, O_NOFOLLOW } = fs.constants

export async function volumeFiles(directory: string): Promise<VolumeFiles> {
  await finishedFolders(directory)
  const folderOf = (id: string): string => path.join(directory, needName(id))
  const file = (id: string): string => volumeFile(folderOf(id))
  const open = (id: string, access: number = O_RDWR): Promise<FileHandle> =>
    fs.open(file(id), access | O_NOFOLLOW).catch((error: unknown) => {
      throw isMissing(error) ? new MissingVolume(id) : error
    })
  const exclusively = keyedTurns()

  return {
    file,

    size: async (id) => (await unlessMissing(fs.stat(file(id))))?.size,

    occupied: async (id) => occupiedBytes(await unlessMissing(fs.stat(file(id)))),

    make: (id, size, fill) =>
      makeFolder(folderOf(id), async (unfinished) => {
        await fill(volumeFile(unfinished))
        await finishFile(volumeFile(unfinished), size)
      }),

    inUnfinished: (work) => inUnfinishedFolder(directory, work),

    async write(id, offset, bytes) {
      const handle = await open(id)
      try {
        const { size } = await handle.stat()
        if (offset + bytes.length > size) throw new Error(`write beyond the end of the volume ${id}`)
        await writeFully(handle, bytes, offset)
        await handle.datasync()
      } finally {
        await handle.close()
      }
    },

    remove: (id) => removeFolder(folderOf(id)),

    async openAll(disks) {
      const opened: FileHandle[] = []
      try {
        for (const { content_id, read_only } of disks)
          opened.push(await open(content_id, read_only ? O_RDONLY : O_RDWR))
        return opened
      } catch (error) {
        for (const handle of opened) await handle.close()
        throw error
      }
    },

    exclusively,
    areTaken: exclusively.areTaken,
  }
}

/** No volume has this id. */
export class MissingVolume extends Error {
  constructor(id: string) {
    super(`There is no volume ${id}.`)
  }
}
