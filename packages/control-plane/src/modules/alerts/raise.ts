import { type AlertClass, classesOf } from '@gantry/api/system/alert.rules'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'

/** The subject of an alert: a condition that begins and ends, and the project that caused it, if any. */
export interface Subject {
  /** Names the condition. */
  subject: string
  project_id: string | null
}

/**
 * Stores an alert with a delivery to each receiver subscribed to its class. It replaces undelivered ones of the same
 * condition: a receiver that was unreachable for a while gets the current state.
 */
export async function raiseAlert(
  tx: Change,
  alert_class: AlertClass,
  { subject, project_id }: Subject,
  payload: Record<string, unknown>,
): Promise<void> {
  const id = tx.cx.newId()
  const now = tx.cx.now()
  await dropUnsent(tx, subject)
  await tx.plain
    .insertInto('alert')
    .values({ id, alert_class, payload: JSON.stringify(payload), time_created: now, subject, project_id })
    .execute()
  for (const receiver of await subscribedTo(tx.read, alert_class))
    await queueDelivery(tx, {
      alert_receiver_id: receiver,
      alert_id: id,
      alert_class,
      subject,
      project_id,
      trigger: 'alert',
    })
}

/** Deletes deliveries without any attempt, and alerts that have no delivery left. */
async function dropUnsent(tx: Change, subject: string): Promise<void> {
  const { rows } = await sql<{ id: string; alert_id: string }>`
    DELETE FROM alert_delivery WHERE subject = ${subject} AND state = 'pending' AND trigger = 'alert'
      AND time_sent IS NULL RETURNING id, alert_id`.execute(tx.plain)
  if (rows.length === 0) return
  for (const { id } of rows) tx.note('alert-delivery', id, undefined, { event: 'replaced' })
  await sql`DELETE FROM alert a WHERE id = ANY (${rows.map((row) => row.alert_id)}::uuid[])
    AND NOT EXISTS (SELECT FROM alert_delivery d WHERE d.alert_id = a.id)`.execute(tx.plain)
}

export async function subscribedTo(db: Reader, name: AlertClass, only?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_subscription')
    .innerJoin('alert_receiver', 'alert_receiver.id', 'alert_subscription.alert_receiver_id')
    .select(['alert_receiver_id', 'subscription', 'dropped'])
    .where('alert_receiver.time_deleted', 'is', null)
    .$if(only !== undefined, (query) => query.where('alert_receiver_id', '=', only ?? ''))
    .orderBy('alert_receiver_id')
    .execute()
  const fitting = rows.filter(
    ({ subscription, dropped }) => classesOf(subscription).includes(name) && !dropped.includes(name),
  )
  return [...new Set(fitting.map((row) => row.alert_receiver_id))]
}

type Queued = Pick<Row<'alert_delivery'>, 'alert_receiver_id' | 'alert_id' | 'alert_class' | 'trigger'> &
  Pick<Row<'alert'>, 'subject' | 'project_id'>

/** The counter is locked until the commit, so positions follow the order of commits. */
export async function queueDelivery(tx: Change, queued: Queued): Promise<string> {
  const { rows } = await sql<{ value: number }>`INSERT INTO counter (name, value) VALUES ('alert-delivery', 1)
    ON CONFLICT (name) DO UPDATE SET value = counter.value + 1 RETURNING value`.execute(tx.plain)
  const id = tx.cx.newId()
  const now = tx.cx.now()
  await tx.plain
    .insertInto('alert_delivery')
    .values({
      ...queued,
      id,
      state: 'pending',
      position: rows[0]?.value ?? 0,
      time_started: now,
      time_next: now,
    })
    .execute()
  tx.note('alert-delivery', id, undefined, { alert_class: queued.alert_class, trigger: queued.trigger })
  return id
}
