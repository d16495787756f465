import { type Kysely, sql } from 'kysely'
import { type Column, columnsOf, tablesIn, textsAlike } from './catalogue.ts'
import { leftOut, type RowBatch } from './dump.ts'
import { createMigrationTable, foreignMigration, insertMigrationLock, migrateIn } from './migrate.ts'
import type { Tables } from './tables.ts'

export interface Loaded {
  /** Stored in the database to show which load completed. */
  id: string
  /** The migrations of the source database. */
  migrations: readonly string[]
}

/** Why the rows cannot be loaded, in one sentence. */
export class CannotLoad extends Error {}

/**
 * Fills an empty database with the rows of another, all or none. `before` runs after the last row and before
 * the commit.
 */
export async function load(
  db: Kysely<Tables>,
  { id, migrations }: Loaded,
  batches: AsyncIterable<RowBatch>,
  before: () => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const setting of textsAlike) await setting.execute(tx)
    await needEmpty(tx)
    await createMigrationTable.execute(tx)
    await insertMigrationLock.execute(tx)
    await migrateIn(tx, [], migrations)
    await emptyTables(tx)
    await insertAll(tx, batches)
    // Later migrations bring the rows up to date too.
    await migrateIn(tx, migrations)
    // No process works on them, so their leases need not run out first.
    await tx.updateTable('job').set({ lease_until: null }).where('state', '=', 'pending').execute()
    await sql`COMMENT ON TABLE schema_migration IS ${sql.lit(markOf(id))}`.execute(tx)
    await before()
  })
}

const markOf = (id: string): string => `restored ${id}`

/** Whether the load with this id completed. */
export async function isLoaded(db: Kysely<Tables>, id: string): Promise<boolean> {
  const { rows } = await sql<{ mark: string | null }>`
    SELECT obj_description(to_regclass('schema_migration'), 'pg_class') AS mark`.execute(db)
  return rows[0]?.mark === markOf(id)
}

/** Refuses data of a newer program. */
export function checkMigrations(migrations: readonly string[], version: string): void {
  const foreign = foreignMigration(migrations)
  if (foreign === undefined) return
  throw new CannotLoad(
    `The backup is of a newer version, Gantry ${version} (${foreign}). Restore it with that version or a newer one.`,
  )
}

/** Refuses a database that is not empty. */
export async function needEmpty(db: Kysely<Tables>): Promise<void> {
  const [first] = await tablesIn(db)
  if (first === undefined) return
  throw new CannotLoad(
    `The database is not empty: it has a table ${first}. Restore into a new database, or drop what is in this one.`,
  )
}

/** A new embedded database has the schema of this program, and a backup brings its own. */
export async function dropSchema(db: Kysely<Tables>): Promise<void> {
  await sql`DROP SCHEMA public CASCADE`.execute(db)
  await sql`CREATE SCHEMA public`.execute(db)
}

/** Migrations insert rows into a few tables themselves. */
async function emptyTables(tx: Kysely<Tables>): Promise<void> {
  for (const table of await tablesIn(tx))
    if (table !== 'schema_migration') await sql`DELETE FROM ${sql.table(table)}`.execute(tx)
}

async function insertAll(tx: Kysely<Tables>, batches: AsyncIterable<RowBatch>): Promise<void> {
  const known = new Map<string, Column[]>()
  for (const table of await tablesIn(tx)) known.set(table, await columnsOf(tx, table))
  // Backups by older programs contain more tables.
  for await (const batch of batches)
    if (!leftOut.has(batch.table)) await insert(tx, batch, known.get(batch.table) ?? [])
}

/** Names come from the database's own catalogue, and only values from the batch. */
async function insert(
  tx: Kysely<Tables>,
  { table, columns, rows }: RowBatch,
  known: Column[],
): Promise<void> {
  const targets = columns.map((name) => {
    const column = known.find((one) => one.name === name)
    if (column) return column
    throw new CannotLoad(`The backup has a column ${table}.${name} that this version does not know.`)
  })
  const names = sql.join(targets.map(({ name }) => sql.ref(name)))
  const values = sql.join(targets.map(({ type }, index) => sql`(r ->> ${sql.lit(index)})::${sql.raw(type)}`))
  await sql`INSERT INTO ${sql.table(table)} (${names})
    SELECT ${values} FROM json_array_elements(${JSON.stringify(rows)}::json) AS r`.execute(tx)
}
