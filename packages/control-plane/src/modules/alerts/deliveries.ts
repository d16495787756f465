import type {
  AlertDelivery,
  AlertDeliveryDetail,
  AlertProbeResult,
  AlertReceiverHealth,
} from '@gantry/api/system/alert'
import { type DeliveryState, deliveryStates, probeClass } from '@gantry/api/system/alert.rules'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { keysetPage } from '../../list/keyset-page.ts'
import { timeKey } from '../../list/time-key.ts'
import { addressOf, need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { invalid } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { isDropped } from './queue.ts'
import { mayRead } from './readers.ts'
import { deliveryOf, queueDeliveries, subscribedTo } from './raise.ts'
import { subscriptionsOf } from './receivers.ts'
import { type Attempt, secretsToSign, sendOnce } from './send.ts'

type Delivery = Row<'alert_delivery'>
type KeptAttempt = Row<'alert_attempt'>

const deliveryView = (row: Delivery, attempts: readonly KeptAttempt[]): AlertDelivery => ({
  id: row.id,
  receiver_id: row.alert_receiver_id,
  alert_class: row.alert_class,
  alert_id: row.alert_id,
  state: row.state,
  trigger: row.trigger,
  attempts: { webhook: attempts.map((made) => attemptView(made, made.attempt)) },
  time_started: row.time_started.toISOString(),
})

const attemptView = ({ time_sent, result, status, duration_ms }: Attempt, attempt: number) => ({
  attempt,
  time_sent: time_sent.toISOString(),
  result,
  response: status === null ? null : { status, duration_ms: duration_ms ?? 0 },
})

async function attemptsOf(db: Reader, ids: readonly string[]): Promise<Map<string, KeptAttempt[]>> {
  const rows = await db
    .selectFrom('alert_attempt')
    .selectAll()
    .where(sql<boolean>`alert_delivery_id = ANY (${ids}::uuid[])`)
    .orderBy('attempt')
    .execute()
  const found = new Map<string, KeptAttempt[]>()
  for (const row of rows) found.set(row.alert_delivery_id, [...(found.get(row.alert_delivery_id) ?? []), row])
  return found
}

interface DeliveryQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
  pending?: boolean | null | undefined
  failed?: boolean | null | undefined
  delivered?: boolean | null | undefined
}

export async function listDeliveries(cx: Cx, at: Selectors, query: DeliveryQuery) {
  const { row: receiver } = await need(cx, 'alert_receiver', at, 'list_children')
  const { items, next_page } = await keysetPage(
    cx,
    ops.alertDeliveryList,
    'alert_delivery',
    query,
    {
      keys: { time_and_id: timeKey('time_started') },
      where: async (asked) => {
        const states: DeliveryState[] = deliveryStates.filter((state) => asked[state] === true)
        return [
          sql`t.alert_receiver_id = ${receiver.id}`,
          ...(states.length > 0 ? [sql`t.state IN (${sql.join(states)})`] : []),
        ]
      },
    },
    (row) => row,
  )
  const attempts = await attemptsOf(
    cx.db,
    items.map(({ id }) => id),
  )
  return { items: items.map((row) => deliveryView(row, attempts.get(row.id) ?? [])), next_page }
}

export async function viewDelivery(
  cx: Cx,
  { delivery_id }: { delivery_id: string },
): Promise<AlertDeliveryDetail> {
  needFleet(cx, 'read')
  const row = await cx.db
    .selectFrom('alert_delivery')
    .selectAll()
    .where('id', '=', delivery_id)
    .executeTakeFirst()
  if (!row) throw addressOf('alert-delivery', delivery_id)
  const alert = await cx.db
    .selectFrom('alert')
    .select('payload')
    .where('id', '=', row.alert_id)
    .executeTakeFirst()
  const made = (await attemptsOf(cx.db, [row.id])).get(row.id) ?? []
  const is_withheld = !mayRead(cx, row, alert?.payload)
  return {
    ...deliveryView(row, made),
    is_dropped: isDropped(row),
    is_withheld,
    time_next: row.state === 'pending' ? (row.time_next?.toISOString() ?? null) : null,
    payload: is_withheld ? {} : (alert?.payload ?? {}),
    exchanges: made.map(({ attempt, request, response_body, reason }) => ({
      attempt,
      request: is_withheld ? { ...request, body: '' } : request,
      response_body: is_withheld ? null : response_body,
      reason,
    })),
  }
}

/** The one alert of all probes (control plane reference, A 7). */
const probeAlert = '001de000-7768-4000-8000-000000000001'

/** Sends at once and stores nothing. An unreachable receiver is a result, not a failure. */
export async function probe(cx: Cx, at: Selectors, resend: boolean): Promise<AlertProbeResult> {
  const { row: receiver } = await need(cx, 'alert_receiver', at, 'read')
  if (resend) needFleet(cx, 'modify')
  const secrets = await secretsToSign(cx.services, cx.db, receiver.id)
  if (secrets.length === 0)
    throw invalid(
      'receiver has no secrets, so delivery requests cannot be sent',
      'Add a secret to the receiver first.',
    )
  if (!cx.services.webhooks)
    throw invalid('this server cannot send requests to others', 'Use an installation that runs as a server.')
  const delivery_id = cx.newId()
  const message = {
    alert_class: probeClass,
    alert_id: probeAlert,
    data: {},
    delivery_id,
    trigger: 'probe' as const,
  }
  const time_started = cx.now().toISOString()
  const made = await sendOnce(cx.services, receiver, message, secrets)
  const isAlive = made.result === 'succeeded'
  return {
    probe: {
      id: delivery_id,
      receiver_id: receiver.id,
      alert_class: probeClass,
      alert_id: probeAlert,
      state: isAlive ? 'delivered' : 'failed',
      trigger: 'probe',
      attempts: { webhook: [attemptView(made, 1)] },
      time_started,
    },
    resends_started: isAlive && resend ? await resendFailed(cx, receiver.id) : null,
  }
}

/** A new delivery for every alert that was never delivered here and is not pending. */
const resendFailed = (cx: Cx, alert_receiver_id: string): Promise<number> =>
  change(cx, fleetScope, async (tx) => {
    await tx.lockById('alert_receiver', alert_receiver_id)
    const { rows } = await sql<
      Pick<Delivery, 'alert_id' | 'alert_class' | 'subject' | 'silo_id' | 'project_id'>
    >`SELECT alert_id, alert_class, subject, silo_id, project_id FROM alert_delivery
      WHERE alert_receiver_id = ${alert_receiver_id}
      GROUP BY alert_id, alert_class, subject, silo_id, project_id
      HAVING bool_and(state = 'failed') ORDER BY min(position) LIMIT 1000`.execute(tx.plain)
    const queued = rows.map((row) => ({ ...row, alert_receiver_id, trigger: 'resend' as const }))
    return (await queueDeliveries(tx, queued)).length
  })

export async function resend(cx: Cx, alert_id: string, at: Selectors): Promise<{ delivery_id: string }> {
  const { row: receiver } = await need(cx, 'alert_receiver', at, 'modify')
  const alert = await cx.db.selectFrom('alert').selectAll().where('id', '=', alert_id).executeTakeFirst()
  if (!alert) throw addressOf('alert', alert_id)
  const { alert_class } = alert
  return change(cx, fleetScope, async (tx) => {
    await tx.lockById('alert_receiver', receiver.id)
    if ((await subscribedTo(tx.read, alert_class, receiver.id)).length === 0)
      throw invalid(
        `cannot resend alert: receiver is not subscribed to the '${alert_class}' alert class`,
        'Subscribe the receiver to the class first.',
      )
    const [delivery_id] = await queueDeliveries(tx, [deliveryOf(alert, receiver.id, 'resend')])
    if (delivery_id === undefined) throw new Error('a delivery that was queued has an id')
    return { delivery_id }
  })
}

/** Days over which deliveries are counted. */
const countedDays = 7

export async function listHealth(cx: Cx, query: ListQuery) {
  needFleet(cx, 'list_children')
  const { items, next_page } = await listAll(cx, 'alert_receiver', query, (row) => row)
  const ids = items.map(({ id }) => id)
  const subscriptions = await subscriptionsOf(cx.db, ids)
  const since = new Date(cx.now().getTime() - countedDays * 24 * 3_600_000)
  interface Fares {
    id: string
    secrets: number
    pending: number
    delivered: number
    failed: number
    dropped: number
    time_sent: Date | null
    result: KeptAttempt['result'] | null
    status: number | null
  }
  const { rows } = await sql<Fares>`SELECT r.id, counted.*, last.time_sent, last.result, last.status,
      (SELECT count(*)::int FROM webhook_secret s WHERE s.alert_receiver_id = r.id) AS secrets
    FROM unnest(${ids}::uuid[]) r (id)
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE d.state = 'pending')::int AS pending,
        count(*) FILTER (WHERE d.state = 'delivered')::int AS delivered,
        count(*) FILTER (WHERE d.state = 'failed')::int AS failed,
        count(*) FILTER (WHERE d.state = 'failed' AND d.attempts = 0)::int AS dropped
      FROM alert_delivery d WHERE d.alert_receiver_id = r.id AND (d.time_started >= ${since} OR d.state = 'pending')) counted
    LEFT JOIN LATERAL (SELECT a.time_sent, a.result, a.status FROM alert_delivery d
      JOIN alert_attempt a ON a.alert_delivery_id = d.id
      WHERE d.alert_receiver_id = r.id AND d.time_started >= ${since} ORDER BY a.time_sent DESC LIMIT 1) last ON true`.execute(
    cx.db,
  )
  const fares = new Map(rows.map((row) => [row.id, row]))
  return {
    items: items.map((row) => {
      const found = fares.get(row.id)
      const { time_sent, result } = found ?? {}
      return resourceView<AlertReceiverHealth>(row, {
        endpoint: row.endpoint,
        subscriptions: subscriptions.get(row.id) ?? [],
        secret_count: found?.secrets ?? 0,
        pending: found?.pending ?? 0,
        delivered: found?.delivered ?? 0,
        failed: found?.failed ?? 0,
        dropped: found?.dropped ?? 0,
        last_attempt:
          time_sent && result
            ? { time_sent: time_sent.toISOString(), result, status: found?.status ?? null }
            : null,
      })
    }),
    next_page,
  }
}
