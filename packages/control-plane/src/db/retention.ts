import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'
import type { Environment } from '../environment.ts'

export const dayMs = 24 * 3_600_000
/** Rows that one statement deletes: few enough that no request waits noticeably for it. */
export const rowsAtOnce = 1000

/** The services that deleting old rows needs. */
export interface Forgetting extends Pick<Environment, 'clock' | 'settings'> {
  db: Db
  ending: AbortSignal
}

export const daysAgo = ({ clock }: Pick<Forgetting, 'clock'>, days: number): Date =>
  new Date(clock().getTime() - days * dayMs)

interface Old<Name extends keyof Tables> {
  table: Name
  /** An index begins with this time, so that the cost depends on what is deleted and not on what remains. */
  time: keyof Tables[Name] & string
  before: Date
  /** A further condition on alias `t`. */
  where?: RawBuilder<unknown>
}

/**
 * Deletes old rows, oldest first and a portion at a time. Each portion begins where the last one ended, since
 * entries of deleted rows stay in the index until the next vacuum. Other processes do the same: each skips rows
 * that another one is deleting.
 */
export async function forgetOlder<Name extends keyof Tables>(
  { db, ending }: Pick<Forgetting, 'db' | 'ending'>,
  { table, time, before, where }: Old<Name>,
): Promise<void> {
  const [rows, column] = [sql.table(table), sql.ref(time)]
  for (let from: Date | undefined; !ending.aborted;) {
    const begin = from ? sql`AND t.${column} >= ${from}` : sql``
    const deleted = await sql<{ time: Date }>`DELETE FROM ${rows} WHERE ctid = ANY (ARRAY(
      SELECT t.ctid FROM ${rows} t WHERE t.${column} < ${before} ${begin} ${where ? sql`AND ${where}` : sql``}
      ORDER BY t.${column} LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED)) RETURNING ${column} AS time`.execute(
      db,
    )
    if (deleted.rows.length < rowsAtOnce) return
    from = new Date(Math.max(...deleted.rows.map((row) => row.time.getTime())))
  }
}
