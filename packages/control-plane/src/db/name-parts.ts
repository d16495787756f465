import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * SQLSTATEs of a database that lacks trigrams or forbids this role to install them, and of a race with
 * another process that installs them.
 */
const cannot: ReadonlySet<unknown> = new Set([
  '0A000',
  '23505',
  '42501',
  '42601',
  '42704',
  '42710',
  '42P07',
  '58P01',
])

/**
 * Creates the indexes for substring search in names and descriptions. They are not a migration: a database without `pg_trgm` works
 * without them, and gets them at the next start once the extension is available.
 */
export async function indexNameParts(
  db: Kysely<Tables>,
  tables: readonly (keyof Tables)[],
): Promise<'indexed' | 'unavailable'> {
  const searched = tables.flatMap((table) =>
    (['name', 'description'] as const).map((column) => ({
      table,
      column,
      index: `${table}_${column}_parts`,
    })),
  )
  const names = searched.map(({ index }) => index)
  const { rows } = await sql<{ exist: boolean; available: boolean }>`
    SELECT (SELECT bool_and(to_regclass(name) IS NOT NULL) FROM unnest(${names}::text[]) AS name) AS exist,
      EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') AS available`.execute(db)
  if (rows[0]?.exist) return 'indexed'
  if (!rows[0]?.available) return 'unavailable'
  try {
    await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db)
    for (const { table, column, index } of searched) {
      // Without `fastupdate`, searches need not scan a list of pending entries.
      await sql`CREATE INDEX IF NOT EXISTS ${sql.ref(index)} ON ${sql.table(table)}
        USING gin (${sql.ref(column)} gin_trgm_ops) WITH (fastupdate = off) WHERE time_deleted IS NULL`.execute(
        db,
      )
    }
    return 'indexed'
  } catch (error) {
    if (!cannot.has((error as { code?: string }).code)) throw error
    return 'unavailable'
  }
}
