import { type Kysely, sql } from 'kysely'
import { foundation } from './migrations/0001-foundation.ts'
import { imageUploads } from './migrations/0002-image-uploads.ts'
import { compute } from './migrations/0003-compute.ts'
import { networking } from './migrations/0004-networking.ts'
import { people } from './migrations/0005-people.ts'
import { signIn } from './migrations/0006-sign-in.ts'
import type { Tables } from './tables.ts'

export interface Migration {
  /** Sorts by number; never renamed, never edited once released. */
  id: string
  statements: readonly string[]
}

const migrations: readonly Migration[] = [foundation, imageUploads, compute, networking, people, signIn]

/**
 * Brings the schema up to date. Several processes may do so at once: they queue on one row, and whoever comes
 * later finds nothing left to do.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migration (id text PRIMARY KEY, time timestamptz NOT NULL)`
    .execute(db)
    .catch(ignoreLostCreation)
  await sql`INSERT INTO schema_migration (id, time) VALUES ('lock', now()) ON CONFLICT (id) DO NOTHING`.execute(
    db,
  )
  await db.transaction().execute(async (tx) => {
    await sql`SELECT id FROM schema_migration WHERE id = 'lock' FOR UPDATE`.execute(tx)
    const done = await sql<{ id: string }>`SELECT id FROM schema_migration`.execute(tx)
    const known = new Set(done.rows.map((row) => row.id))
    const foreign = [...known].find(
      (id) => id !== 'lock' && !migrations.some((migration) => migration.id === id),
    )
    if (foreign)
      throw new Error(`The database was written by a newer version (${foreign}). Start that version instead.`)
    for (const migration of migrations) {
      if (known.has(migration.id)) continue
      for (const statement of migration.statements) await sql.raw(statement).execute(tx)
      await sql`INSERT INTO schema_migration (id, time) VALUES (${migration.id}, now())`.execute(tx)
    }
  })
}

/** Two first starts can race for the table itself; PostgreSQL then reports a duplicate in its own catalogue. */
function ignoreLostCreation(error: unknown): void {
  const code = (error as { code?: string }).code
  if (code !== '23505' && code !== '42P07') throw error
}
