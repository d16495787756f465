import fs from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../problem.ts'

/**
 * Files that do not count as contents: sockets of locks, a file system's own root entries, those of the
 * restore, and what a killed server leaves of a database it was creating or copying, including its ballast.
 * The caller holds the lock, so no process uses them.
 */
const noContents =
  /^(lock-.*\.sock|control\.sock|lost\+found|ballast(-unfinished)?|restore-unfinished(\.json)?|database-unfinished-.*)$/

/** Refuses a data directory with contents. A block store without any disk is empty. */
export async function needEmptyDataDir(dataDir: string): Promise<void> {
  for (const name of await fs.readdir(dataDir)) {
    if (noContents.test(name)) continue
    if (name === 'blocks' && (await removeIfWithoutFiles(path.join(dataDir, name)))) continue
    throw new Problem(
      `The data directory ${dataDir} is not empty: it has ${name}. Name an empty one with --data-dir, or move ` +
        'this one away.',
    )
  }
}

async function removeIfWithoutFiles(folder: string): Promise<boolean> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined)
  if (!entries || entries.some((entry) => !entry.isDirectory())) return false
  await fs.rm(folder, { recursive: true })
  return true
}
