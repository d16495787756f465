import fs from 'node:fs'

/**
 * Gives a folder's entries to the disk: a new or renamed file is only safe when its name is.
 * @param {string} path
 */
export function syncDirectory(path) {
  // Windows has no descriptor for a directory; its file systems keep entries in their own journal.
  if (process.platform === 'win32') return
  const descriptor = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

