import { PGlite } from '@electric-sql/pglite'
import { openControlPlane } from './control-plane.ts'
import { Caller } from './caller.ts'
import { noteSetCookies } from './cookies.ts'
import { password } from './people.ts'
import { addPeople } from './add-people.ts'

/**
 * The initial database of every page, as a compressed archive: migrated, with the demo contents and the
 * preview's users. Creating it takes seconds, reading it a fraction of one. Its contents date from the build
 * and have the same ids in every page, so that links survive a refresh; each page creates its own sessions.
 */
export async function makeData(): Promise<Blob> {
  noteSetCookies()
  const database = await PGlite.create()
  const plane = openControlPlane(database)
  await plane.migrate()
  await plane.seed('demo', password)
  const admin = new Caller(plane)
  await admin.signIn('admin')
  await addPeople(admin)
  await admin.signOut()
  for (const command of trimming) await database.query(command)
  const archive = await database.dumpDataDir('gzip')
  await plane.stop()
  return archive
}

/** Templates for further databases are half of the archive; the last command leaves nothing to recover. */
const trimming = [
  "UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')",
  'DROP DATABASE template0',
  'DROP DATABASE template1',
  'VACUUM ANALYZE',
  'CHECKPOINT',
]
