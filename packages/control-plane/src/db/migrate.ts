import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations/migrations.gen.ts'
import type { Tables } from './tables.ts'

export interface Migration {
  /** Sorts by number; never renamed, never edited once released. */
  id: string
  statements: readonly string[]
}

/**
 * Brings the schema up to date. Several processes may do so at once: they queue on one row, and whoever comes
 * later finds nothing left to do.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await createMigrationTable.execute(db).catch(ignoreLostCreation)
  await insertMigrationLock.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`SELECT id FROM schema_migration WHERE id = 'lock' FOR UPDATE`.execute(tx)
    await migrateIn(tx, await appliedMigrations(tx))
  })
}

/** The migrations of this program, in their order. */
export const knownMigrations: readonly string[] = migrations.map(({ id }) => id)

/** Those that the database has had, in their order; none where there is no schema yet. */
export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{
    exists: boolean
  }>`SELECT to_regclass('schema_migration') IS NOT NULL AS exists`.execute(db)
  if (!rows[0]?.exists) return []
  const done = await sql<{
    id: string
  }>`SELECT id FROM schema_migration WHERE id <> 'lock' ORDER BY id`.execute(db)
  return done.rows.map(({ id }) => id)
}

/** The database has had a migration that this program does not know. */
export class NewerDatabase extends Error {}

/** A migration that this program does not know: a newer one wrote it. */
export const foreignMigration = (applied: readonly string[]): string | undefined =>
  applied.find((id) => !knownMigrations.includes(id))

/** Runs what was not yet applied, as far as `wanted` names it, inside a transaction. */
export async function migrateIn(
  tx: Kysely<Tables>,
  applied: readonly string[],
  wanted: readonly string[] = knownMigrations,
): Promise<void> {
  const foreign = foreignMigration(applied)
  if (foreign)
    throw new NewerDatabase(
      `The database was written by a newer version (${foreign}). Start that version instead.`,
    )
  for (const migration of migrations) {
    if (applied.includes(migration.id) || !wanted.includes(migration.id)) continue
    for (const statement of migration.statements) await sql.raw(statement).execute(tx)
    await sql`INSERT INTO schema_migration (id, time) VALUES (${migration.id}, now())`.execute(tx)
  }
}

export const createMigrationTable = sql`CREATE TABLE IF NOT EXISTS schema_migration
  (id text PRIMARY KEY, time timestamptz NOT NULL)`
export const insertMigrationLock = sql`INSERT INTO schema_migration (id, time) VALUES ('lock', now())
  ON CONFLICT (id) DO NOTHING`

/**
 * Two first starts can race for the table itself. PostgreSQL then reports a duplicate: of the table, of the type of
 * its rows, or of an entry in its own catalogue, by how far the other has come.
 */
const lostCreation: ReadonlySet<unknown> = new Set(['42P07', '42710', '23505'])

function ignoreLostCreation(error: unknown): void {
  if (!lostCreation.has((error as { code?: string }).code)) throw error
}
