import { createHash } from 'node:crypto'
import path from 'node:path'

/**
 * Each object is a folder with a sparse file, and a map with one byte for every chunk that was ever written.
 * Node cannot query a file system's holes, and a copy that reads a terabyte of them takes minutes. Bytes
 * rather than bits, so that two processes that write different chunks never overwrite each other's.
 */
export const CHUNK = 1024 * 1024

/** The store's folder for objects that are being created or removed. */
export const UNFINISHED = 'unfinished'

export interface Paths {
  folder: string
  data: string
  map: string
}

export const pathsIn = (folder: string): Paths => ({
  folder,
  data: path.join(folder, 'data'),
  map: path.join(folder, 'written'),
})

/** Ids become file names, and are made by the control plane: anything else is a bug or an attack. */
export function needName(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) return id
  throw new Error(`${JSON.stringify(id)} names no block object`)
}

/** The paths of an object in a store. */
export function objectPaths(directory: string, id: string): Paths {
  const name = needName(id)
  const [first, second] = createHash('sha256').update(name).digest('hex').match(/../g) ?? []
  return pathsIn(path.join(directory, first ?? '', second ?? '', name))
}
