import fs from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * Syncs a folder's entries to disk: a new or renamed file is only safe once its name is.
 * @param {string} folder
 */
export function syncFolder(folder) {
  // Windows has no descriptor for a folder; its file systems journal the entries.
  if (process.platform === 'win32') return
  const descriptor = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/**
 * Syncs everything below a folder. Several at a time, because the disk batches them.
 * @param {string} folder
 */
export async function syncTree(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = (/** @type {fs.Dirent} */ entry) => path.join(entry.parentPath, entry.name)
  const files = entries.filter((entry) => entry.isFile()).map(pathOf)
  await Promise.all(Array.from({ length: 16 }, syncNext))
  for (const entry of entries) if (entry.isDirectory()) syncFolder(pathOf(entry))
  syncFolder(folder)

  async function syncNext() {
    for (let file = files.pop(); file; file = files.pop()) {
      const handle = await open(file, 'r+')
      await handle.sync()
      await handle.close()
    }
  }
}
