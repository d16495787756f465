import { sql } from 'kysely'
import type { TrackedName } from '../db/tables.ts'
import type { Tx } from '../db/database.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'
import { type KindDescription, type KindName, kinds } from '../lookup/kinds.ts'
import { insufficient, type Refusal } from '../context/refusal.ts'

/** The parents that rows of a kind are counted within: the first whose id the row has. */
const parentsOf = ({ parent, orProject }: KindDescription): KindName[] => [
  ...(orProject ? (['project'] as const) : []),
  ...(parent === 'fleet' ? [] : [parent]),
]

/** Rows that this process may still add within a parent before it counts again, by kind and parent. */
const allowancesOf = onceEach((_services: Services) => new Map<string, number>())
const allowancesAtOnce = 10_000

/**
 * A count walks all rows of the parent, so a process repeats it only after adding a share of what was left.
 * This many processes stay within the limit together.
 */
const shares = 16

/**
 * Refuses a new row once its parent is at the limit. Quotas cover what runs and what is stored; these limits
 * cover rows that no quota counts, such as stopped instances, so that users cannot fill the database with them.
 * Concurrent creators may each find the last place free: the limit keeps the database small and is not exact.
 */
export async function refuseTooManyRows(
  tx: Tx,
  services: Services,
  table: TrackedName,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const kind = kinds[table]
  const parent = kind.limit && parentsOf(kind).find((parent) => typeof row[`${parent}_id`] === 'string')
  if (!kind.limit || !parent) return
  const name = kind.limitName ?? table
  const column = `${parent}_id`
  const key = `${name} ${row[column] as string}`
  const allowances = allowancesOf(services)
  const allowance = allowances.get(key) ?? 0
  if (allowance > 0) return void allowances.set(key, allowance - 1)
  const limit = services.settings.limits.rows[name] ?? kind.limit
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM (
    SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${row[column]} AND time_deleted IS NULL
    LIMIT ${limit}) counted`.execute(tx)
  const left = limit - (rows[0]?.n ?? 0)
  if (left <= 0)
    throw tooManyRows(kinds[parent].noun, {
      limit,
      words: `${kind.noun}s`,
      setting: `limits.rows.${name}`,
    })
  if (allowances.size >= allowancesAtOnce) allowances.clear()
  allowances.set(key, Math.floor((left - 1) / shares))
}

/** `setting` is the one that an operator raises to allow more. */
export const tooManyRows = (
  word: string,
  { limit, words, setting }: { limit: number; words: string; setting: string },
): Refusal =>
  insufficient(`the ${word} already has the maximum of ${limit} ${words}`, {
    help: `Delete some first, or ask the operator to raise the setting ${setting}.`,
    details: { limit },
  })
