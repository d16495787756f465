import { sql } from 'kysely'
import type { TrackedName } from '../db/tables.ts'
import type { Settings } from '../settings.ts'
import type { Tx } from '../db/database.ts'
import { type KindDescription, type KindName, kinds } from './kinds.ts'
import { insufficient, type Refusal } from './refusal.ts'

/** The parents that rows of a kind are counted within: the first whose id the row has. */
const parentsOf = ({ parent, orProject }: KindDescription): KindName[] => [
  ...(orProject ? (['project'] as const) : []),
  ...(parent === 'fleet' ? [] : [parent]),
]

/**
 * Refuses a new row once its parent is at the limit. Quotas cover what runs and what is stored; these limits
 * cover rows that no quota counts, such as stopped instances, so that nobody can fill the database with them.
 * Concurrent creators may each find the last place free: the limit keeps the database small and is not exact.
 */
export async function refuseTooManyRows(
  tx: Tx,
  { limits }: Settings,
  table: TrackedName,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const kind = kinds[table]
  const parent = kind.limit && parentsOf(kind).find((parent) => typeof row[`${parent}_id`] === 'string')
  if (!kind.limit || !parent) return
  const column = `${parent}_id`
  const limit = limits.rows[kind.limit]
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${row[column]} AND time_deleted IS NULL
    OFFSET ${limit - 1} LIMIT 1`.execute(tx)
  if (rows.length > 0)
    throw tooManyRows(kinds[parent].noun, {
      limit,
      words: `${kind.noun}s`,
      setting: `limits.rows.${kind.limit}`,
    })
}

/** `setting` is the one that an operator raises to allow more. */
export const tooManyRows = (
  word: string,
  { limit, words, setting }: { limit: number; words: string; setting: string },
): Refusal =>
  insufficient(`the ${word} already has the maximum of ${limit} ${words}`, {
    help: `Delete some first, or ask the operator to raise the setting ${setting}.`,
  })
