import { sql } from 'kysely'
import type { ChangeEvent } from '@gantry/api/extensions'
import type { AuditActor } from '../db/tables.ts'
import type { Services } from './cx.ts'

const batch = 500

/** A published change, with what decides who hears of it. */
export interface Published extends ChangeEvent {
  silo_id: string | null
  actor: AuditActor
}

/**
 * Gives sequence numbers to committed changes, oldest first. One row is locked while it does, so numbers come
 * in the order in which they become visible: whoever read up to number N has missed nothing below it, also
 * when a slow transaction commits after a fast one. Answers the last number given, if any was.
 */
export async function publishChanges(services: Services): Promise<number | undefined> {
  const waiting = await services.db
    .selectFrom('change')
    .select('id')
    .where('seq', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!waiting) return undefined
  return services.db.transaction().execute(async (tx) => {
    await sql`INSERT INTO counter (name, value) VALUES ('change', 0) ON CONFLICT (name) DO NOTHING`.execute(
      tx,
    )
    const counter = await sql<{
      value: number
    }>`SELECT value FROM counter WHERE name = 'change' FOR UPDATE`.execute(tx)
    const last = counter.rows[0]?.value ?? 0
    const { rows } = await sql<{ id: string }>`
      UPDATE change SET seq = numbered.seq FROM (
        SELECT id, ${last}::int8 + row_number() OVER (ORDER BY time, transaction_id, position) AS seq
        FROM (SELECT id, time, transaction_id, position FROM change WHERE seq IS NULL
          ORDER BY time, transaction_id, position LIMIT ${batch}) oldest
      ) numbered WHERE change.id = numbered.id RETURNING change.id`.execute(tx)
    await tx
      .updateTable('counter')
      .set({ value: last + rows.length })
      .where('name', '=', 'change')
      .execute()
    return last + rows.length
  })
}

export async function lastSequence({ db }: Pick<Services, 'db'>): Promise<number> {
  const row = await db.selectFrom('counter').select('value').where('name', '=', 'change').executeTakeFirst()
  return row?.value ?? 0
}

/** The oldest number still kept, if any is. */
export async function firstSequence({ db }: Pick<Services, 'db'>): Promise<number | undefined> {
  const row = await db
    .selectFrom('change')
    .select('seq')
    .where('seq', 'is not', null)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? undefined
}

export async function changesAfter(db: Services['db'], seq: number, limit: number): Promise<Published[]> {
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

/** Changes are kept for thirty days, as long as metrics. */
export async function forgetOldChanges(services: Services): Promise<void> {
  const before = new Date(services.clock().getTime() - 30 * 24 * 3600 * 1000)
  await services.db.deleteFrom('change').where('seq', 'is not', null).where('time', '<', before).execute()
}
