import type { AttemptResult, DeliveryTrigger } from '@gantry/api/system/alert.rules'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import type { Services } from '../../context/services.ts'

interface Message {
  alert_class: string
  alert_id: string
  data: Record<string, unknown>
  delivery_id: string
  trigger: DeliveryTrigger
}
export interface Secret {
  id: string
  secret: string
}
export type Attempt = Omit<Row<'alert_attempt'>, 'alert_delivery_id' | 'attempt'>

/** The decrypted secrets, in the order in which they were added. */
export async function secretsToSign(
  services: Pick<Services, 'seal'>,
  db: Reader,
  receiver: string,
): Promise<Secret[]> {
  const rows = await db
    .selectFrom('webhook_secret')
    .select(['id', 'secret'])
    .where('alert_receiver_id', '=', receiver)
    .orderBy('time_created')
    .orderBy('id')
    .execute()
  return Promise.all(rows.map(async ({ id, secret }) => ({ id, secret: await services.seal.open(secret) })))
}

/** One signed request (control plane reference, A 12.5) and its outcome. */
export async function sendOnce(
  { webhooks, clock }: Pick<Services, 'webhooks' | 'clock'>,
  receiver: Pick<Row<'alert_receiver'>, 'id' | 'endpoint'>,
  { alert_class, alert_id, data, delivery_id, trigger }: Message,
  secrets: readonly Secret[],
  signal?: AbortSignal,
): Promise<Attempt> {
  const time_sent = clock()
  const sent_at = time_sent.toISOString()
  const delivery = { id: delivery_id, receiver_id: receiver.id, sent_at, trigger }
  const body = JSON.stringify({ alert_class, alert_id, data, delivery })
  const headers = {
    'content-type': 'application/json',
    'x-oxide-delivery-id': delivery_id,
    'x-oxide-receiver-id': receiver.id,
    'x-oxide-alert-id': alert_id,
    'x-oxide-alert-class': alert_class,
    'x-oxide-timestamp': sent_at,
  }
  const signatures = await Promise.all(
    secrets.map(async ({ id, secret }) => `a=sha256&id=${id}&s=${await signature(secret, body)}`),
  )
  const began = performance.now()
  const outcome = webhooks
    ? await webhooks.post(
        { url: receiver.endpoint, headers: { ...headers, 'x-oxide-signature': signatures }, body },
        signal,
      )
    : ({ kind: 'unreachable', reason: 'this server sends no requests to others' } as const)
  const isAnswered = outcome.kind === 'answered'
  return {
    time_sent,
    result: resultOf(outcome),
    status: isAnswered ? outcome.status : null,
    duration_ms: isAnswered ? Math.round(performance.now() - began) : null,
    request: { headers: { ...headers, 'x-oxide-signature': signatures.join(', ') }, body },
    response_body: isAnswered ? outcome.body : null,
    reason: isAnswered ? null : outcome.reason,
  }
}

function resultOf(
  outcome: { kind: 'answered'; status: number } | { kind: 'unreachable' | 'timeout' },
): AttemptResult {
  if (outcome.kind !== 'answered') return outcome.kind === 'timeout' ? 'failed_timeout' : 'failed_unreachable'
  return outcome.status >= 200 && outcome.status < 300 ? 'succeeded' : 'failed_http_error'
}

/** HMAC of the body in hexadecimal. */
async function signature(secret: string, body: string): Promise<string> {
  const encoder = new TextEncoder()
  // Web Crypto accepts no empty key; one zero byte gives the same HMAC.
  const bytes = secret === '' ? new Uint8Array(1) : encoder.encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', key, encoder.encode(body))
  return [...new Uint8Array(signed)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
