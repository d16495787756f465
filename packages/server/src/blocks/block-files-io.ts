import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'

/** Opens a file, runs the work and closes it. `id` names the object in the error for a missing file. */
export async function withFile<T>(
  file: string,
  flags: 'r' | 'r+',
  id: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await fs.open(file, flags).catch((error: unknown) => {
    throw isMissing(error) ? missing(id, error) : error
  })
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

export async function readFully(file: FileHandle, into: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < into.length;) {
    const { bytesRead } = await file.read(into, at, into.length - at, position + at)
    // Only concurrent truncation could end early, and nothing truncates.
    if (bytesRead === 0) return
    at += bytesRead
  }
}

export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows has no descriptor for a folder; its file systems journal the entries.
  if (process.platform !== 'win32') await withFile(folder, 'r', folder, (handle) => handle.sync())
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}

/** The result of a step; undefined if what it is about does not exist. */
export const unlessMissing = <T>(step: Promise<T>): Promise<T | undefined> =>
  step.catch((error: unknown) => {
    if (!isMissing(error)) throw error
    return undefined
  })

/** The unit of `blocks` in `stat`. */
const STAT_BLOCK = 512

/** Bytes that a file takes on its volume, which its holes do not. */
export const occupiedBytes = (stat: Stats | undefined): number | undefined => stat && stat.blocks * STAT_BLOCK

export function missing(id: string, cause: unknown): Error {
  return new Error(`no block object ${id}`, { cause })
}

/** Makes a copy that shares its blocks with the original, or fails where the file system cannot. */
export const cloneFile = (from: string, to: string): Promise<void> =>
  fs.copyFile(from, to, fs.constants.COPYFILE_FICLONE_FORCE)

/** Whether copies in a folder share their blocks with the original, and so take no space. */
export async function canShareBlocks(folder: string): Promise<boolean> {
  const [from, to] = [path.join(folder, randomUUID()), path.join(folder, randomUUID())]
  try {
    await fs.writeFile(from, 'x')
    await cloneFile(from, to)
    return true
  } catch {
    return false
  } finally {
    for (const file of [from, to]) await fs.rm(file, { force: true })
  }
}
