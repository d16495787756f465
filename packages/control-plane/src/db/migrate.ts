import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations/migrations.gen.ts'
import type { Tables } from './tables.ts'

/**
 * Brings the schema up to date. Concurrent processes queue on one row, and later ones find nothing left to
 * do.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await createMigrationTable.execute(db).catch(ignoreLostCreation)
  await insertMigrationLock.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`SELECT id FROM schema_migration WHERE id = 'lock' FOR UPDATE`.execute(tx)
    await migrateIn(tx, await appliedMigrations(tx))
  })
}

/** This program's migrations, in order. */
export const knownMigrations: readonly string[] = migrations.map(({ id }) => id)

/** Migrations applied to the database, in order; none if there is no schema yet. */
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

/** A migration was applied that this program does not know. */
export class NewerDatabase extends Error {}

/** An applied migration that this program does not know, written by a newer one. */
export const foreignMigration = (applied: readonly string[]): string | undefined =>
  applied.find((id) => !knownMigrations.includes(id))

/** Runs pending migrations up to `wanted`, inside a transaction. */
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
 * Two first starts can race to create the table. PostgreSQL then reports a duplicate of the table, its row
 * type or a catalogue entry, depending on how far the other has got.
 */
const lostCreation: ReadonlySet<unknown> = new Set(['42P07', '42710', '23505'])

function ignoreLostCreation(error: unknown): void {
  if (!lostCreation.has((error as { code?: string }).code)) throw error
}
