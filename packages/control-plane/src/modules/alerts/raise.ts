import { type AlertClass, classesOf } from '@gantry/api/system/alert-class.rules'
import { type PayloadOf, payloadVersionOf } from '@gantry/api/system/alert-payload'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { portions } from '../../db/portions.ts'
import type { NewRow, Row } from '../../db/tables.ts'
import { type Change, fleetScope, type Scope } from '../../change/change.ts'
import { dropSurplus } from './queue.ts'

/** The subject of an alert: a condition that begins and ends, and where it was caused. */
export interface Subject extends Scope {
  /** Names the condition. */
  subject: string
}

/**
 * Stores an alert with a delivery to each receiver subscribed to its class. It replaces undelivered ones of the same
 * condition: a receiver that was unreachable for a while gets the current state.
 */
export async function raiseAlert<Class extends AlertClass>(
  tx: Change,
  alert_class: Class,
  { subject, silo_id, project_id }: Subject,
  payload: PayloadOf<Class>,
): Promise<void> {
  await dropUnsent(tx, subject)
  const alert = storedAlert(tx, { alert_class, subject, silo_id, project_id }, payload)
  await tx.plain.insertInto('alert').values(alert).execute()
  const receivers = await subscribedTo(tx.read, alert_class)
  await queueDeliveries(
    tx,
    receivers.map((receiver) => deliveryOf(alert, receiver, 'alert')),
  )
}

type AboutAlert = Pick<Row<'alert'>, 'alert_class' | 'subject' | 'silo_id' | 'project_id'>

/** The row of an alert, whose list changes with it. */
export function storedAlert(tx: Change, about: AboutAlert, payload: object) {
  const id = tx.cx.newId()
  tx.note('alert', id, undefined, { alert_class: about.alert_class }, fleetScope)
  return {
    ...about,
    id,
    payload: JSON.stringify(payload),
    version: payloadVersionOf(about.alert_class),
    time_created: tx.cx.now(),
  }
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
  const subscribed = await subscriptionsOfAll(db, only)
  return [...subscribed].filter(([, covers]) => covers(name)).map(([receiver]) => receiver)
}

/** What each receiver is subscribed to. */
export async function subscriptionsOfAll(
  db: Reader,
  only?: string,
): Promise<ReadonlyMap<string, (name: AlertClass) => boolean>> {
  const rows = await db
    .selectFrom('alert_subscription')
    .innerJoin('alert_receiver', 'alert_receiver.id', 'alert_subscription.alert_receiver_id')
    .select(['alert_receiver_id', 'subscription', 'dropped'])
    .where('alert_receiver.time_deleted', 'is', null)
    .$if(only !== undefined, (query) => query.where('alert_receiver_id', '=', only ?? ''))
    .orderBy('alert_receiver_id')
    .execute()
  const found = new Map<string, Set<AlertClass>>()
  for (const { alert_receiver_id, subscription, dropped } of rows) {
    const classes = found.get(alert_receiver_id) ?? new Set()
    found.set(alert_receiver_id, classes)
    for (const name of classesCovered(subscription)) if (!dropped.includes(name)) classes.add(name)
  }
  return new Map([...found].map(([receiver, classes]) => [receiver, (name) => classes.has(name)]))
}

/** Patterns are few, and each is compared with hundreds of classes. */
const covered = new Map<string, readonly AlertClass[]>()
const coveredMax = 500

function classesCovered(subscription: string): readonly AlertClass[] {
  const known = covered.get(subscription)
  if (known) return known
  if (covered.size >= coveredMax) covered.clear()
  const classes = classesOf(subscription)
  covered.set(subscription, classes)
  return classes
}

type Queued = Pick<Row<'alert_delivery'>, 'alert_receiver_id' | 'alert_id' | 'alert_class' | 'trigger'> &
  Pick<Row<'alert'>, 'subject' | 'silo_id' | 'project_id'>

export const deliveryOf = (
  { id, alert_class, subject, silo_id, project_id }: AboutAlert & { id: string },
  alert_receiver_id: string,
  trigger: Queued['trigger'],
): Queued => ({ alert_receiver_id, alert_id: id, alert_class, subject, silo_id, project_id, trigger })

/**
 * Queues deliveries in this order, and returns their ids. The counter is locked until the commit, so positions follow the
 * order of commits.
 */
export async function queueDeliveries(tx: Change, queued: readonly Queued[]): Promise<string[]> {
  if (queued.length === 0) return []
  const { rows } = await sql<{ value: number }>`INSERT INTO counter (name, value)
    VALUES ('alert-delivery', ${queued.length}) ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value
    RETURNING value`.execute(tx.plain)
  const first = (rows[0]?.value ?? queued.length) - queued.length + 1
  const now = tx.cx.now()
  const deliveries = queued.map((one, index): NewRow<'alert_delivery'> => ({
    ...one,
    id: tx.cx.newId(),
    state: 'pending',
    position: first + index,
    time_started: now,
    time_next: now,
  }))
  for (const some of portions(deliveries)) await tx.plain.insertInto('alert_delivery').values(some).execute()
  for (const { id, alert_class, trigger } of deliveries)
    tx.note('alert-delivery', id, undefined, { alert_class, trigger })
  await dropSurplus(tx, [...new Set(queued.map(({ alert_receiver_id }) => alert_receiver_id))])
  return deliveries.map(({ id }) => id)
}
