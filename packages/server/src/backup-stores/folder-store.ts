import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import {
  type BackupStore,
  BackupStoreFailed,
  backupNamesAtOnce,
} from '@gantry/control-plane/blocks/backup-store'

/** Of objects that are being written; no object has such a name. */
const unfinished = '.tmp-'
/** What a crash left unfinished is removed once it is that old: no object takes so long to write. */
const leftMs = 3_600_000
const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

/**
 * Objects as files of a folder, by their names. A file gets its name once its bytes are on the medium, so that a crash
 * leaves it whole or absent.
 */
export function folderStore(root: string, signal: AbortSignal): BackupStore {
  const fileOf = (name: string): string => path.join(root, ...name.split('/'))

  async function put(name: string, bytes: Uint8Array): Promise<void> {
    const file = fileOf(name)
    const folder = path.dirname(file)
    const temporary = path.join(folder, `${unfinished}${randomUUID()}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, file)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async function get(name: string, max: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const handle = await open(fileOf(name), 'r').catch(unlessMissing)
    if (!handle) return undefined
    try {
      const { size } = await handle.stat()
      if (size > max) throw tooLong(name)
      const bytes = new Uint8Array(size)
      const { bytesRead } = await handle.read(bytes, 0, size, 0)
      return bytes.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  /** In the order of names, folder by folder, with what lies below the prefix alone. */
  async function list(prefix: string, after: string | undefined): Promise<string[]> {
    const found: string[] = []
    const within = async (folder: string): Promise<void> => {
      const entries = (await readdir(fileOf(folder), { withFileTypes: true }).catch(unlessMissing)) ?? []
      // A folder's name counts with its slash, as it does in the names of what it holds.
      const names = entries.map((entry) => ({ isFolder: entry.isDirectory(), name: nameOf(folder, entry) }))
      names.sort((one, other) => (one.name < other.name ? -1 : 1))
      for (const { isFolder, name } of names) {
        if (found.length >= backupNamesAtOnce) return
        if (path.posix.basename(name).startsWith(unfinished)) {
          await removeIfLeft(fileOf(name))
        } else if (isFolder) {
          const mayHold = name.startsWith(prefix) || prefix.startsWith(name)
          const isPast = after !== undefined && name < after && !after.startsWith(name)
          if (mayHold && !isPast) await within(name.slice(0, -1))
        } else if (name.startsWith(prefix) && (after === undefined || name > after)) found.push(name)
      }
    }
    // Nothing above the folder that the prefix names is read.
    await within(prefix.slice(0, Math.max(0, prefix.lastIndexOf('/'))))
    return found
  }

  return {
    put: (name, bytes) => told(signal, () => put(name, bytes)),
    get: (name, max) => told(signal, () => get(name, max)),
    has: (name) => told(signal, async () => (await stat(fileOf(name)).catch(unlessMissing)) !== undefined),
    remove: (name) => told(signal, () => rm(fileOf(name), { force: true })),
    list: (prefix, after) => told(signal, () => list(prefix, after)),
  }
}

async function removeIfLeft(file: string): Promise<void> {
  const found = await stat(file).catch(unlessMissing)
  if (found && Date.now() - found.mtimeMs > leftMs) await rm(file, { force: true })
}

const nameOf = (folder: string, entry: { name: string; isDirectory: () => boolean }): string =>
  `${folder === '' ? '' : `${folder}/`}${entry.name}${entry.isDirectory() ? '/' : ''}`

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}

const tooLong = (name: string): BackupStoreFailed =>
  new BackupStoreFailed(`The object ${name} is longer than it was written.`, 'Look at the store.')

async function told<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof BackupStoreFailed) throw cause
    const code = codeOf(cause)
    throw new BackupStoreFailed(
      `The folder cannot be used (${typeof code === 'string' ? code : 'unknown error'}).`,
      help(code),
      {
        cause,
      },
    )
  }
}

function help(code: unknown): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Make room on the volume of the folder.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return 'Let the user that runs the server write to the folder.'
  return 'See whether its volume is mounted and works.'
}
