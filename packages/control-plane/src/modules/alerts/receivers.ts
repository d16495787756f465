import type {
  AlertReceiver,
  WebhookCreate,
  WebhookReceiver,
  WebhookReceiverUpdate,
  WebhookSecret,
} from '@gantry/api/system/alert'
import { type AlertClass, classesInWords, classesOf } from '@gantry/api/system/alert-class.rules'
import { deliveryRules, isGlob, probeClass } from '@gantry/api/system/alert.rules'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { insufficient, invalidValue, notFound } from '../../context/refusal.ts'
import { sealUserSecret } from '../../context/seal-user-secret.ts'
import { resourceView } from '../../lookup/views.ts'

type Receiver = Row<'alert_receiver'>

/** Exact classes first, then globs. */
export async function subscriptionsOf(db: Reader, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('alert_subscription')
    .select(['alert_receiver_id', 'subscription'])
    .where(sql<boolean>`alert_receiver_id = ANY (${ids}::uuid[])`)
    .orderBy(sql`subscription LIKE '%*%'`)
    .orderBy('subscription')
    .execute()
  const found = new Map<string, string[]>()
  for (const { alert_receiver_id: id, subscription } of rows)
    found.set(id, [...(found.get(id) ?? []), subscription])
  return found
}

const secretView = ({
  id,
  time_created,
}: Pick<Row<'webhook_secret'>, 'id' | 'time_created'>): WebhookSecret => ({
  id,
  time_created: time_created.toISOString(),
})

async function secretsOf(db: Reader, ids: readonly string[]): Promise<Map<string, WebhookSecret[]>> {
  const rows = await db
    .selectFrom('webhook_secret')
    .select(['id', 'alert_receiver_id', 'time_created'])
    .where(sql<boolean>`alert_receiver_id = ANY (${ids}::uuid[])`)
    .orderBy('time_created')
    .orderBy('id')
    .execute()
  const found = new Map<string, WebhookSecret[]>()
  for (const row of rows)
    found.set(row.alert_receiver_id, [...(found.get(row.alert_receiver_id) ?? []), secretView(row)])
  return found
}

async function receiverViews(db: Reader, rows: readonly Receiver[]): Promise<AlertReceiver[]> {
  const ids = rows.map(({ id }) => id)
  const subscriptions = await subscriptionsOf(db, ids)
  const secrets = await secretsOf(db, ids)
  return rows.map((row) =>
    resourceView<AlertReceiver>(row, {
      subscriptions: subscriptions.get(row.id) ?? [],
      kind: { kind: 'webhook', endpoint: row.endpoint, secrets: secrets.get(row.id) ?? [] },
    }),
  )
}

export async function listReceivers(cx: Cx, query: ListQuery) {
  needFleet(cx, 'list_children')
  const { items, next_page } = await listAll(cx, 'alert_receiver', query, (row) => row)
  return { items: await receiverViews(cx.db, items), next_page }
}

export async function viewReceiver(cx: Cx, at: Selectors): Promise<AlertReceiver> {
  const { row } = await need(cx, 'alert_receiver', at, 'read')
  const [view] = await receiverViews(cx.db, [row])
  if (!view) throw new Error('a row makes a view')
  return view
}

export async function createReceiver(cx: Cx, body: WebhookCreate): Promise<WebhookReceiver> {
  needFleet(cx, 'create_child')
  const { name, description, endpoint, subscriptions } = body
  for (const subscription of subscriptions) refuseSubscription(subscription)
  const sealed = await Promise.all(body.secrets.map((secret) => sealUserSecret(cx, 'secrets', secret)))
  return change(cx, fleetScope, async (tx) => {
    const row = await tx.insert('alert_receiver', { name, description, endpoint })
    for (const subscription of new Set(subscriptions)) await subscribe(tx, row.id, subscription)
    const secrets: WebhookSecret[] = []
    for (const secret of sealed) secrets.push(await insertSecret(tx, row.id, secret))
    const known = await subscriptionsOf(tx.read, [row.id])
    return resourceView<WebhookReceiver>(row, { endpoint, secrets, subscriptions: known.get(row.id) ?? [] })
  })
}

export async function updateReceiver(cx: Cx, at: Selectors, body: WebhookReceiverUpdate): Promise<void> {
  const { row } = await need(cx, 'alert_receiver', at, 'modify')
  const { name, description, endpoint } = body
  await change(cx, fleetScope, async (tx) =>
    tx.update('alert_receiver', await tx.lock('alert_receiver', row), {
      ...(name && { name }),
      ...(typeof description === 'string' && { description }),
      ...(endpoint && { endpoint }),
    }),
  )
}

/** Deletes its secrets, subscriptions, places, deliveries and attempts too. */
export async function deleteReceiver(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'alert_receiver', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const receiver = await tx.lock('alert_receiver', row)
    const { id } = receiver
    await tx.plain
      .deleteFrom('alert_attempt')
      .where('alert_delivery_id', 'in', (of) =>
        of.selectFrom('alert_delivery').select('id').where('alert_receiver_id', '=', id),
      )
      .execute()
    for (const table of [
      'alert_delivery',
      'alert_subscription',
      'alert_activity_place',
      'webhook_secret',
    ] as const)
      await tx.plain.deleteFrom(table).where('alert_receiver_id', '=', id).execute()
    await tx.remove('alert_receiver', receiver)
  })
}

function refuseSubscription(subscription: string): void {
  if (isGlob(subscription)) return
  if (subscription === probeClass)
    throw invalidValue('alert_class', 'webhook receivers cannot subscribe to probes')
  refuseUnknownClass(subscription)
}

export function refuseUnknownClass(name: string): void {
  if (classesOf(name).length === 0)
    throw invalidValue('alert_class', `expected one of [${classesInWords.join(', ')}]`)
}

/** Idempotent. Restores classes that were removed from a glob. */
const subscribe = (tx: Change, alert_receiver_id: string, subscription: string) =>
  tx.plain
    .insertInto('alert_subscription')
    .values({ alert_receiver_id, subscription, dropped: '[]' })
    .onConflict((conflict) =>
      conflict.columns(['alert_receiver_id', 'subscription']).doUpdateSet({ dropped: '[]' }),
    )
    .execute()

export async function addSubscription(cx: Cx, at: Selectors, subscription: string) {
  const { row } = await need(cx, 'alert_receiver', at, 'modify')
  refuseSubscription(subscription)
  await change(cx, fleetScope, async (tx) => {
    await tx.lock('alert_receiver', row)
    const before = await currentSubscriptions(tx, row.id)
    if (!before.includes(subscription) && before.length >= deliveryRules.subscriptionsPerReceiver)
      throw insufficient(`a receiver has at most ${deliveryRules.subscriptionsPerReceiver} subscriptions`)
    await subscribe(tx, row.id, subscription)
    await noteSubscriptions(tx, row.id, before)
  })
  return { subscription }
}

/** Removing an exact class also removes it from the globs that cover it (control plane reference, A 12.2). */
export async function removeSubscription(cx: Cx, at: Selectors, subscription: string): Promise<void> {
  const { row } = await need(cx, 'alert_receiver', at, 'modify')
  if (!isGlob(subscription)) refuseUnknownClass(subscription)
  await change(cx, fleetScope, async (tx) => {
    await tx.lock('alert_receiver', row)
    const before = await currentSubscriptions(tx, row.id)
    await tx.plain
      .deleteFrom('alert_subscription')
      .where('alert_receiver_id', '=', row.id)
      .where('subscription', '=', subscription)
      .execute()
    const [exact] = isGlob(subscription) ? [] : classesOf(subscription)
    if (exact) await dropFromGlobs(tx, row.id, exact)
    await noteSubscriptions(tx, row.id, before)
  })
}

async function dropFromGlobs(tx: Change, alert_receiver_id: string, name: AlertClass): Promise<void> {
  const rows = await tx.read
    .selectFrom('alert_subscription')
    .selectAll()
    .where('alert_receiver_id', '=', alert_receiver_id)
    .execute()
  for (const { subscription, dropped } of rows)
    if (classesOf(subscription).includes(name))
      await tx.plain
        .updateTable('alert_subscription')
        .set({ dropped: JSON.stringify([...new Set([...dropped, name])]) })
        .where('alert_receiver_id', '=', alert_receiver_id)
        .where('subscription', '=', subscription)
        .execute()
}

const currentSubscriptions = async (tx: Change, id: string): Promise<string[]> =>
  (await subscriptionsOf(tx.read, [id])).get(id) ?? []

async function noteSubscriptions(tx: Change, id: string, before: readonly string[]): Promise<void> {
  tx.note(
    'alert-receiver',
    id,
    { subscriptions: before },
    { subscriptions: await currentSubscriptions(tx, id) },
  )
}

export async function listSecrets(cx: Cx, at: Selectors) {
  const { row } = await need(cx, 'alert_receiver', at, 'read')
  return { secrets: (await secretsOf(cx.db, [row.id])).get(row.id) ?? [] }
}

export async function addSecret(cx: Cx, at: Selectors, secret: string): Promise<WebhookSecret> {
  const { row } = await need(cx, 'alert_receiver', at, 'modify')
  const sealed = await sealUserSecret(cx, 'secret', secret)
  return change(cx, fleetScope, async (tx) => {
    await tx.lock('alert_receiver', row)
    const known = (await secretsOf(tx.read, [row.id])).get(row.id) ?? []
    if (known.length >= deliveryRules.secretsPerReceiver)
      throw insufficient(`a receiver has at most ${deliveryRules.secretsPerReceiver} secrets`)
    const added = await insertSecret(tx, row.id, sealed)
    tx.note('alert-receiver', row.id, { secret_count: known.length }, { secret_count: known.length + 1 })
    return added
  })
}

async function insertSecret(tx: Change, alert_receiver_id: string, secret: string): Promise<WebhookSecret> {
  const row = { id: tx.cx.newId(), alert_receiver_id, secret, time_created: tx.cx.now() }
  await tx.plain.insertInto('webhook_secret').values(row).execute()
  return secretView(row)
}

export async function deleteSecret(cx: Cx, { secret_id }: { secret_id: string }): Promise<void> {
  const missing = notFound('webhook-secret', { id: secret_id })
  // Callers who may not see receivers must not learn of secrets either.
  if (!cx.can('read', { class: 'fleet' })) throw missing
  needFleet(cx, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const gone = await tx.plain
      .deleteFrom('webhook_secret')
      .where('id', '=', secret_id)
      .returning('alert_receiver_id')
      .executeTakeFirst()
    if (!gone) throw missing
    tx.note('alert-receiver', gone.alert_receiver_id, { secret_id }, undefined)
  })
}
