import { PGlite } from '@electric-sql/pglite'
import manifest from '../package.json' with { type: 'json' }

/** Where a database just made, with nothing of ours in it, is kept from one load of the page to the next. */
const shelf = 'gantry-preview'
const label = `/empty-database-${manifest.dependencies['@electric-sql/pglite']}`

/** An empty database in memory. The first one is made anew, later ones are its copies, which takes a third of the time. */
export async function openDatabase(): Promise<PGlite> {
  const kept = await caches.match(label, { cacheName: shelf })
  if (kept) {
    try {
      return await PGlite.create({ loadDataDir: await kept.blob() })
    } catch (error) {
      console.warn('the copy of an empty database could not be used', error)
    }
  }
  const database = await PGlite.create()
  // Before anything is written into it: what was made in the preview must not come back.
  const empty = await database.dumpDataDir('none')
  void keep(empty).catch((error: unknown) => console.warn('an empty database could not be kept', error))
  return database
}

async function keep(empty: Blob): Promise<void> {
  await caches.delete(shelf)
  const cache = await caches.open(shelf)
  await cache.put(label, new Response(empty))
}
