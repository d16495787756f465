import { PGlite } from '@electric-sql/pglite'
import address from 'virtual:preview-data'

/** A database in memory with what every page begins with (make-data.ts). */
export async function openDatabase(): Promise<PGlite> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the contents of the preview could not be fetched (${response.status})`)
  return PGlite.create({ loadDataDir: await response.blob() })
}
