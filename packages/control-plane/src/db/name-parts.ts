import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * SQLSTATEs of a database that has no trigrams or does not let this role make them, and of another process that makes
 * them at the same moment.
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
 * The index by which parts of a name are found without reading every name. It is no migration: a database without
 * `pg_trgm` does without it, and one that gets it later makes the index at the next start.
 */
export async function indexNameParts(db: Kysely<Tables>): Promise<'indexed' | 'unavailable'> {
  const { rows } = await sql<{ exists: boolean; available: boolean }>`
    SELECT to_regclass('instance_name_parts') IS NOT NULL AS exists,
      EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') AS available`.execute(db)
  if (rows[0]?.exists) return 'indexed'
  if (!rows[0]?.available) return 'unavailable'
  try {
    await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db)
    // Entries that wait to be sorted in would be read by every search.
    await sql`CREATE INDEX IF NOT EXISTS instance_name_parts ON instance USING gin (name gin_trgm_ops)
      WITH (fastupdate = off) WHERE time_deleted IS NULL`.execute(db)
    return 'indexed'
  } catch (error) {
    if (!cannot.has((error as { code?: string }).code)) throw error
    return 'unavailable'
  }
}
