import type { PGlite } from '@electric-sql/pglite'
import { BoundedPGlite } from '@gantry/control-plane/db/bounded-pglite.js'
import address from 'virtual:preview-data'

/** An in-memory database with the initial contents of every page (make-data.ts). */
export async function openDatabase(): Promise<PGlite> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the contents of the preview could not be fetched (${response.status})`)
  const database = new BoundedPGlite({ loadDataDir: await response.blob() })
  await database.waitReady
  return database
}
