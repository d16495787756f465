import fs from 'node:fs/promises'
import path from 'node:path'
import { finish, place } from './blocks-files.ts'
import { objectPaths, pathsIn, UNFINISHED } from './block-paths.ts'

/** A folder of the store for work that becomes an object; the store removes it if it is left for a day. */
export const workFolder = (directory: string, name: string): string => path.join(directory, UNFINISHED, name)

/**
 * Makes an object of a folder on the store's volume, whose file `data` is complete. `written` has one byte for each
 * chunk, which says whether the chunk holds more than holes. Does nothing if the object exists.
 */
export async function adoptFolder(
  directory: string,
  id: string,
  folder: string,
  { size, written }: { size: number; written: Uint8Array },
): Promise<void> {
  const made = pathsIn(folder)
  await fs.writeFile(made.map, written, { mode: 0o600 })
  await finish(made, size)
  await place(folder, objectPaths(directory, id).folder)
}
