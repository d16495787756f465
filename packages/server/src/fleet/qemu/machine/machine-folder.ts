import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { writeSynced } from '../host/durable-file.ts'
import { createRecord, type MachineRecord, specFile } from './record.ts'
import { seedImage } from './seed.ts'

/*
 * The folder of a machine belongs to the user of this process, and no machine may enter it: QEMU inherits
 * open files. It creates its sockets in two folders of its own user, the first before the guest runs, the second
 * while a disk is copied; immediately afterwards they belong to this process again.
 */

export const serialLogFile = (folder: string): string => path.join(folder, 'serial.log')
/** QEMU's own output. */
export const qemuLogFile = (folder: string): string => path.join(folder, 'qemu.log')
export const scratchFile = (folder: string): string => path.join(folder, 'scratch')
const seedFile = (folder: string): string => path.join(folder, 'seed.iso')
export const socketsFolder = (folder: string): string => path.join(folder, 'sockets')
export const exportsFolder = (folder: string): string => path.join(folder, 'exports')
/** Holds a link to the file of a disk while QEMU opens it. QEMU may look up names in it, and create none. */
export const plugsFolder = (folder: string): string => path.join(folder, 'plugs')

/** Writes the files of a machine before its first start. */
export async function createMachineFiles(
  folder: string,
  spec: MachineSpec,
  record: MachineRecord,
): Promise<void> {
  await writeSynced(specFile(folder), JSON.stringify(spec))
  await createRecord(folder, record)
  await writeSynced(seedFile(folder), seedImage(spec))
  for (const file of [serialLogFile(folder), scratchFile(folder), qemuLogFile(folder)])
    await writeSynced(file, '')
  for (const own of [socketsFolder(folder), exportsFolder(folder)]) await fs.mkdir(own, { mode: 0o700 })
}

export interface OpenedFiles {
  sockets: FileHandle
  exports: FileHandle
  plugs: FileHandle
  serialLog: FileHandle
  scratch: FileHandle
  seed: FileHandle
  qemuLog: FileHandle
  close: () => Promise<void>
}

const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_DIRECTORY, O_NOFOLLOW } = fs.constants

export async function openMachineFiles(folder: string, user: number | null): Promise<OpenedFiles> {
  const opened: FileHandle[] = []
  const open = async (file: string, flags: number): Promise<FileHandle> => {
    const handle = await fs.open(file, flags | O_NOFOLLOW)
    opened.push(handle)
    return handle
  }
  const close = async (): Promise<void> => {
    for (const handle of opened) await handle.close()
  }
  try {
    // Also of a machine that an earlier version created, and that did not start.
    await fs.mkdir(plugsFolder(folder), { recursive: true, mode: 0o700 })
    if (user !== null) {
      await fs.chown(plugsFolder(folder), process.getuid?.() ?? 0, user)
      await fs.chmod(plugsFolder(folder), 0o710)
    }
    return {
      plugs: await open(plugsFolder(folder), O_RDONLY | O_DIRECTORY),
      sockets: await open(socketsFolder(folder), O_RDONLY | O_DIRECTORY),
      exports: await open(exportsFolder(folder), O_RDONLY | O_DIRECTORY),
      serialLog: await open(serialLogFile(folder), O_WRONLY | O_APPEND),
      scratch: await open(scratchFile(folder), O_RDWR),
      seed: await open(seedFile(folder), O_RDONLY),
      qemuLog: await open(qemuLogFile(folder), O_WRONLY | O_APPEND),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Lets only a machine's user create files in a folder of its own. */
export async function lend<Result>(
  folder: string,
  user: number | null,
  work: () => Promise<Result>,
): Promise<Result> {
  if (user === null) return work()
  const [owner, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  await fs.chown(folder, user, user)
  try {
    return await work()
  } finally {
    await fs.chown(folder, owner, group)
  }
}

/** The end of QEMU's output, for finding out why it failed. */
export async function endOfQemuLog(folder: string): Promise<string> {
  const text = await fs.readFile(qemuLogFile(folder), 'utf8').catch(() => '')
  return text.slice(-1000).trim()
}
