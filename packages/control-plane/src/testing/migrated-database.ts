import { PGlite } from '@electric-sql/pglite'
import { type Dialect, Kysely } from 'kysely'
import { inProcessPglite } from '../db/in-process-pglite.ts'
import { migrate } from '../db/migrate.ts'
import type { Tables } from '../db/tables.ts'

/** Kept for every test file of a worker. */
let template: Promise<Blob> | undefined

/**
 * An embedded database with the schema and nothing else. It is a copy, because creating a database and
 * migrating it takes five times as long. Tests of migrations create their own.
 */
export async function migratedDatabase(): Promise<Dialect> {
  template ??= makeTemplate()
  return inProcessPglite(await PGlite.create({ loadDataDir: await template }))
}

async function makeTemplate(): Promise<Blob> {
  const database = await PGlite.create()
  await migrate(new Kysely<Tables>({ dialect: inProcessPglite(database) }))
  const copy = await database.dumpDataDir('none')
  await database.close()
  return copy
}
