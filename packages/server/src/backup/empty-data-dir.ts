import fs from 'node:fs/promises'
import path from 'node:path'
import { Problem } from './problem.ts'

/**
 * Not contents: sockets of locks, what a file system keeps at its root, the restore's own, and what a killed server
 * leaves of a database it was making or copying, and its ballast. Whoever asks holds the lock, so nobody uses any of it.
 */
const noContents =
  /^(lock-.*\.sock|control\.sock|lost\+found|ballast(-unfinished)?|restore-unfinished(\.json)?|database-unfinished-.*)$/

/** Refuses a data directory in which anything is kept. A store of disks without any disk is nothing. */
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
