import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

const tracked = () => {
  const now = new Date()
  return { id: crypto.randomUUID(), time_created: now, time_modified: now }
}

/** A receiver without subscriptions or secrets; gives its id. */
export async function addReceiver(db: Kysely<Tables>, name: string): Promise<string> {
  const row = { ...tracked(), name, description: '', endpoint: 'https://hook.example/' }
  await db.insertInto('alert_receiver').values(row).execute()
  return row.id
}

export async function addWebhookSecret(db: Kysely<Tables>, alert_receiver_id: string): Promise<string> {
  const id = crypto.randomUUID()
  await db
    .insertInto('webhook_secret')
    .values({ id, alert_receiver_id, secret: 'the-secret', time_created: new Date() })
    .execute()
  return id
}

/** A silo whose activity the receiver gets, added by a user who is gone. */
export async function addActivityPlace(db: Kysely<Tables>, alert_receiver_id: string): Promise<string> {
  const [id, silo_id, silo_user_id] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  await db
    .insertInto('alert_activity_place')
    .values({ id, alert_receiver_id, silo_id, project_id: null, silo_user_id, time_created: new Date() })
    .execute()
  return id
}

/** A receiver with everything that belongs to one: a secret, a subscription, and a failed delivery of an alert. */
export async function addAlert(db: Kysely<Tables>, receiver: string) {
  const receiver_id = await addReceiver(db, receiver)
  const alert_class = 'issue.failed_instance.began' as const
  const now = new Date()
  const alert_id = crypto.randomUUID()
  const delivery_id = crypto.randomUUID()
  const secret_id = await addWebhookSecret(db, receiver_id)
  await db
    .insertInto('alert_subscription')
    .values({ alert_receiver_id: receiver_id, subscription: 'issue.**', dropped: '[]' })
    .execute()
  await db
    .insertInto('alert')
    .values({ id: alert_id, alert_class, payload: JSON.stringify({ message: 'x' }), time_created: now })
    .execute()
  const delivery = { id: delivery_id, alert_receiver_id: receiver_id, alert_id, alert_class }
  await db
    .insertInto('alert_delivery')
    .values({
      ...delivery,
      trigger: 'alert',
      state: 'failed',
      position: 0,
      attempts: 1,
      time_started: now,
      time_next: null,
    })
    .execute()
  await db
    .insertInto('alert_attempt')
    .values({
      alert_delivery_id: delivery_id,
      attempt: 1,
      time_sent: now,
      result: 'failed_http_error',
      status: 503,
      duration_ms: 12,
      request: JSON.stringify({ headers: { 'content-type': 'application/json' }, body: '{}' }),
      response_body: 'down for a while',
      reason: null,
    })
    .execute()
  return { receiver_id, alert_id, delivery_id, secret_id }
}
