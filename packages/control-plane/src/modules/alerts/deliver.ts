import { deliveryRules } from '@gantry/api/system/alert.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import { Lease } from '../../work/lease.ts'
import type { Reconciler } from '../../work/loop.ts'
import type { Services } from '../../context/services.ts'
import { latestPast } from '../../context/time.ts'
import { nextDelivery } from './queue.ts'
import { type Attempt, secretsToSign, sendOnce } from './send.ts'

type Delivery = Row<'alert_delivery'>

/** Sending raises no attempts, so that the first report of an attempt counts. */
export const deliveryLease = new Lease('alert_delivery', {
  key: 'id',
  token: 'attempts',
  ms: 1000 * deliveryRules.leaseSeconds,
  work: { state: 'pending' },
})

/**
 * Receivers served concurrently by one process. Each waits only for its own endpoint; beyond these, they take turns, so
 * that hanging ones delay others by the time of one request at most.
 */
const maxConcurrent = 256

/**
 * Sends due deliveries, one after the other to each receiver, without a pause while they go well. Those about the fleet
 * go first, and those about one condition arrive in order. A lease excludes other processes; when its holder dies, the
 * attempt is repeated.
 */
export function alertDeliveries(): Reconciler {
  const running = new Map<string, Promise<void>>()
  let isCrowded = false
  return {
    name: 'alert-deliveries',
    everyMs: 1000,
    async run(services) {
      if (!services.webhooks || services.ending.aborted) return
      const due = await dueReceivers(services, [...running.keys()])
      const free = maxConcurrent - running.size
      isCrowded = due.length > free
      for (const receiver of due.slice(0, free)) {
        const done = deliverTo(services, receiver, () => isCrowded)
          .catch((error: unknown) =>
            services.log.error({ err: error, receiver }, 'a delivery failed and is retried'),
          )
          .finally(() => running.delete(receiver))
        running.set(receiver, done)
      }
    },
    finish: () => Promise.all(running.values()),
  }
}

/** Serves a receiver until nothing is due, an attempt fails, or another receiver waits. */
async function deliverTo(services: Services, receiver: string, isAwaited: () => boolean): Promise<void> {
  while (!services.ending.aborted) {
    const delivery = await claim(services, receiver)
    if (!delivery || !(await attempt(services, delivery)) || isAwaited()) return
  }
}

/** A condition on alias `d`: pending, due, and with no process that sends it. */
const isDue = (now: Date): RawBuilder<boolean> =>
  sql`d.state = 'pending' AND d.time_next <= ${now} AND ${deliveryLease.isFree(now, 'd')}`

/** Receivers with due deliveries other than these, in random order, so that all get their turn. */
async function dueReceivers({ db, clock }: Services, others: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM alert_receiver r WHERE r.time_deleted IS NULL AND r.id <> ALL (${others}::uuid[])
      AND EXISTS (SELECT FROM alert_delivery d WHERE d.alert_receiver_id = r.id AND ${isDue(clock())})
    ORDER BY random()`.execute(db)
  return rows.map(({ id }) => id)
}

/** Leases the delivery that is next. */
async function claim({ db, clock }: Services, receiver: string): Promise<Delivery | undefined> {
  const now = clock()
  const next = sql`ARRAY${nextDelivery(receiver, isDue(now), now)}`
  const [claimed] = await deliveryLease.claim(db, now, sql`id = ANY (${next})`, { set: { time_sent: now } })
  return claimed
}

/** Whether the receiver accepted the delivery. */
async function attempt(services: Services, delivery: Delivery): Promise<boolean> {
  const { db, clock, log, ending } = services
  const receiver = await db
    .selectFrom('alert_receiver')
    .select(['id', 'endpoint'])
    .where('id', '=', delivery.alert_receiver_id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  const alert = await db
    .selectFrom('alert')
    .select('payload')
    .where('id', '=', delivery.alert_id)
    .executeTakeFirst()
  // The receiver was deleted meanwhile, with this delivery.
  if (!receiver || !alert) return false
  const secrets = await secretsToSign(services, db, receiver.id)
  if (secrets.length === 0) {
    log.warn(
      { receiver: receiver.id, delivery: delivery.id },
      'a receiver has no secrets, so nothing is sent',
    )
    // A minute later, without counting as an attempt.
    await deliveryLease.leave(db, delivery, {
      time_next: new Date(clock().getTime() + 60_000),
      ...(delivery.attempts === 0 && { time_sent: null }),
    })
    return false
  }
  const { id: delivery_id, alert_class, alert_id, trigger } = delivery
  const message = { alert_class, alert_id, data: alert.payload, delivery_id, trigger }
  // A signal of its own: hundreds of requests that listen to one would be reported as a leak.
  const made = await sendOnce(services, receiver, message, secrets, AbortSignal.any([ending]))
  // This process is shutting down and aborted the request; the next one repeats it.
  if (ending.aborted && made.status === null) {
    await deliveryLease.leave(db, delivery)
    return false
  }
  await record(services, delivery, made)
  return made.result === 'succeeded'
}

/** Stores the attempt and its consequences. */
async function record(services: Services, delivery: Delivery, made: Attempt): Promise<void> {
  const cx = systemCx(services, 'alert-delivery')
  const { id } = delivery
  const attempts = delivery.attempts + 1
  const [, next] = following(made, attempts)
  await change(cx, fleetScope, async (tx) => {
    const isWritten = await deliveryLease.leave(tx.plain, delivery, {
      attempts,
      state: following(made, attempts)[0],
      time_next: next === undefined ? null : new Date(cx.now().getTime() + next * 1000),
    })
    // Deleted meanwhile, or taken over after its lease ended.
    if (!isWritten) return
    await tx.plain
      .insertInto('alert_attempt')
      .values({ ...made, request: JSON.stringify(made.request), alert_delivery_id: id, attempt: attempts })
      .execute()
    tx.note('alert-delivery', id, undefined, { attempt: attempts, result: made.result })
  })
}

/** The state after an attempt, and the seconds until the next one. */
function following({ result }: Attempt, attempts: number): [Delivery['state'], number?] {
  if (result === 'succeeded') return ['delivered']
  if (attempts >= deliveryRules.attempts) return ['failed']
  return ['pending', deliveryRules.backOffSeconds[attempts - 1] ?? 300]
}

/** Deliveries that the clock postponed are due, and leases end: a receiver gets nothing past its oldest delivery. */
export async function repairDeliveries({ db }: Services, now: Date): Promise<void> {
  const past = latestPast(now).getTime()
  const longestWaitMs = 1000 * Math.max(...deliveryRules.backOffSeconds)
  await db
    .updateTable('alert_delivery')
    .set({ time_next: now })
    .where('state', '=', 'pending')
    .where('time_next', '>', new Date(past + longestWaitMs))
    .execute()
  await deliveryLease.repair(db, now)
}
