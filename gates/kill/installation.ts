import { readdirSync } from 'node:fs'
import path from 'node:path'
import { Kysely } from 'kysely'
import { Gantry } from '../../e2e/support/gantry.ts'
import { type DatabaseLocation, openDatabase } from '../../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../../packages/server/src/testing/temporary-postgres.ts'

export type Database = Kysely<unknown>

/** A server with either database, and access to its data. */
export interface Installation {
  gantry: Gantry
  /** Ends the database's own server like a power cut, and restarts it. */
  crashDatabase?: () => Promise<void>
  /** Opens the database directly; an embedded one only after the server has stopped. */
  look: <Result>(at: (db: Database) => Promise<Result>) => Promise<Result>
  /** The names of the objects in the block store. */
  contents: () => string[]
  remove: () => Promise<void>
}

export async function withDatabase<Result>(
  location: DatabaseLocation,
  at: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { dialect } = await openDatabase(location)
  const db = new Kysely<unknown>({ dialect })
  try {
    return await at(db)
  } finally {
    await db.destroy()
  }
}

/** Objects are two folders deep, by a digest of their names. */
export function contentsOf(dataDir: string): string[] {
  const blocks = path.join(dataDir, 'blocks')
  const below = (folder: string): string[] => readdirSync(folder).map((name) => path.join(folder, name))
  return below(blocks)
    .filter((folder) => path.basename(folder) !== 'unfinished')
    .flatMap((folder) => below(folder).flatMap((second) => readdirSync(second)))
}

export async function onPglite(settings?: object): Promise<Installation> {
  const gantry = new Gantry({ ...(settings && { settings }) })
  return {
    gantry,
    look: (at) => withDatabase({ dataDir: gantry.dataDir }, at),
    contents: () => contentsOf(gantry.dataDir),
    remove: () => gantry.remove(),
  }
}

export async function onPostgres(settings?: object): Promise<Installation | { missing: string }> {
  const postgres = await temporaryPostgres({ isDurable: true })
  if ('missing' in postgres) return postgres
  const database = await postgres.newDatabase()
  const gantry = new Gantry({ database, ...(settings && { settings }) })
  const { crash } = postgres
  return {
    gantry,
    ...(crash && { crashDatabase: crash }),
    look: (at) => withDatabase({ url: database }, at),
    contents: () => contentsOf(gantry.dataDir),
    remove: async () => {
      await gantry.remove()
      await postgres.stop()
    },
  }
}
