import { sql } from 'kysely'
import type { ChangeEvent } from '@gantry/api/extensions'
import type { Db, Reader } from '../db/database.ts'
import type { AuditActor } from '../db/tables.ts'
import { latestPast } from '../context/time.ts'
import { dayMs, daysAgo, type Forgetting, rowsAtOnce } from '../db/retention.ts'

const batch = 500

/** A published change, with the fields that decide who may see it. */
export interface Published extends ChangeEvent {
  /** Its number. It counts the changes of all users, so it is never sent: clients get its position (positions.ts). */
  seq: number
  silo_id: string | null
  actor: AuditActor
}

export interface Numbered {
  /** The last number assigned. */
  last: number
  /** More changes may be waiting. */
  hasMore: boolean
}

/**
 * Assigns sequence numbers to committed changes, oldest first. One locked row serialises this, so numbers
 * increase in the order in which changes become visible: a reader at number N has missed nothing below it,
 * even when a slow transaction commits after a fast one. Undefined if no change is waiting, or if
 * `beginNumbering` never ran.
 *
 * This is one statement because it follows every change. It reads the changes before it gets the lock; if another
 * process assigned numbers in between, it assigns none.
 */
export async function publishChanges({ db }: { db: Db }): Promise<Numbered | undefined> {
  const { rows } = await sql<{ last: number; count: number }>`
    WITH held AS MATERIALIZED (
      SELECT value FROM counter WHERE name = 'change' AND EXISTS (SELECT FROM change WHERE seq IS NULL) FOR UPDATE
    ), seen AS MATERIALIZED (
      SELECT value FROM counter WHERE name = 'change'
    ), oldest AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY time, transaction_id, position) AS place
      FROM (SELECT id, time, transaction_id, position FROM change WHERE seq IS NULL
        ORDER BY time, transaction_id, position LIMIT ${batch}) waiting
    ), numbered AS (
      UPDATE change SET seq = held.value + oldest.place FROM held, seen, oldest
      WHERE change.id = oldest.id AND held.value = seen.value RETURNING change.seq
    ), assigned AS MATERIALIZED (
      SELECT max(seq) AS last, count(*)::int AS count FROM numbered
    ), counted AS (
      UPDATE counter SET value = last FROM assigned WHERE name = 'change' AND count > 0
    )
    SELECT coalesce(last, value) AS last, count FROM held, assigned`.execute(db)
  const [row] = rows
  return row && { last: row.last, hasMore: row.count === 0 || row.count === batch }
}

/** Creates the counter that numbering locks, if it is missing; returns the last number assigned. */
export async function beginNumbering(db: Db): Promise<number> {
  await sql`INSERT INTO counter (name, value) VALUES ('change', 0) ON CONFLICT (name) DO NOTHING`.execute(db)
  return lastSequence(db)
}

export async function lastSequence(db: Db): Promise<number> {
  const row = await db.selectFrom('counter').select('value').where('name', '=', 'change').executeTakeFirst()
  return row?.value ?? 0
}

/** Published changes as a feed reads them. */
export interface ChangeLog {
  /** The last number assigned; 0 before the first. */
  last: () => Promise<number>
  /** The oldest number retained, if any. */
  first: () => Promise<number | undefined>
  /** Changes after a number, oldest first. */
  after: (seq: number, limit: number) => Promise<Published[]>
}

export const changeLog = (db: Db): ChangeLog => ({
  last: () => lastSequence(db),
  first: () => firstSequence(db),
  after: (seq, limit) => changesAfter(db, seq, limit),
})

async function firstSequence(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('change')
    .select('seq')
    .where('seq', '>', await forgottenSequence(db))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? undefined
}

async function changesAfter(db: Db, seq: number, limit: number): Promise<Published[]> {
  const rows = await db
    .selectFrom('change')
    .select(['seq', 'kind', 'op', 'object_id', 'name', 'project_id', 'silo_id', 'generation', 'time'])
    .select('actor')
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    seq: row.seq ?? 0,
    kind: row.kind,
    op: row.op,
    id: row.object_id,
    name: row.name,
    project_id: row.project_id,
    silo_id: row.silo_id,
    actor: row.actor,
    version: row.generation,
    time: row.time.toISOString(),
  }))
}

const forgotten = 'change-forgotten'

/** Up to this number, only the changes of requests and those that are told of remain: no stream may resume there. */
export async function forgottenSequence(db: Reader): Promise<number> {
  const row = await db.selectFrom('counter').select('value').where('name', '=', forgotten).executeTakeFirst()
  return row?.value ?? 0
}

/**
 * Changes are kept for the change streams. The audit log shows what a request changed, and the account of activity what
 * the platform did, so these changes are kept for longer, as configured.
 */
export async function forgetOldChanges(services: Forgetting): Promise<void> {
  const { db, settings } = services
  const { change_days } = settings.retention
  const counted = await countedFor(services)
  const before = (days: number) => new Date(Math.min(daysAgo(services, days).getTime(), counted))
  await forgetBefore(services, await forgottenSequence(db), before(change_days), async (from, to) => {
    // Written first: from then on no stream resumes below, whatever a crash leaves of the rest.
    await sql`INSERT INTO counter (name, value) VALUES (${forgotten}, ${to})
      ON CONFLICT (name) DO UPDATE SET value = greatest(counter.value, excluded.value)`.execute(db)
    await sql`DELETE FROM change WHERE seq > ${from} AND seq <= ${to} AND request_id IS NULL AND entry_id IS NULL`.execute(
      db,
    )
  })
  await forgetBefore(services, 0, before(keptDays(settings)), async (from, to) => {
    await sql`DELETE FROM change WHERE seq > ${from} AND seq <= ${to}`.execute(db)
  })
}

/** What was used is counted from the changes, so the changes of a day that is not counted yet stay. */
async function countedFor({ db }: Pick<Forgetting, 'db'>): Promise<number> {
  const { rows } = await sql<{ day: string | null }>`SELECT min(u.day) AS day FROM usage_unit u WHERE
    EXISTS (SELECT FROM project p WHERE p.id = u.id AND p.time_deleted IS NULL)
    OR EXISTS (SELECT FROM silo s WHERE s.id = u.id AND s.time_deleted IS NULL)`.execute(db)
  const day = rows[0]?.day
  return day ? Date.parse(`${day}T00:00:00Z`) + dayMs : Infinity
}

function keptDays({ retention, audit }: Forgetting['settings']): number {
  return Math.max(retention.change_days, Math.min(audit.changes_retention_days, audit.retention_days))
}

/** Since when the changes of requests, and those that are told of, are all there. */
export const keptFrom = (services: Pick<Forgetting, 'clock' | 'settings'>): Date =>
  daysAgo(services, keptDays(services.settings))

/**
 * Walks along the numbers after `from`, a portion at a time, up to the first change that is young enough. One that was
 * written while the clock was ahead goes with the next older one.
 */
async function forgetBefore(
  services: Forgetting,
  from: number,
  before: Date,
  forget: (from: number, to: number) => Promise<void>,
): Promise<void> {
  const past = latestPast(services.clock())
  for (let last = from; !services.ending.aborted;) {
    const next = await services.db
      .selectFrom('change')
      .select(['seq', 'time'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(rowsAtOnce)
      .execute()
    const young = next.findIndex(({ time }) => time >= before && time <= past)
    const to = (young === -1 ? next : next.slice(0, young)).findLast(({ time }) => time < before)?.seq
    if (typeof to !== 'number') return
    await forget(last, to)
    if (young !== -1 || next.length < rowsAtOnce) return
    last = to
  }
}
