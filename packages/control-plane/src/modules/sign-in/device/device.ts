import type { DeviceAccessTokenRequest, DeviceAuthRequest } from '@gantry/api/people/device'
import {
  deviceGrantType,
  deviceRequestSeconds,
  shownUserCode,
  tokenSecondsDefault,
  userCodeLength,
  userCodeLetters,
  userCodeOf,
} from '@gantry/api/people/device.rules'
import { accessTokenPrefix } from '@gantry/control-plane/authz/access-token'
import { hashSecret, isSecret, newSecret } from '@gantry/control-plane/authz/secret'
import type { Row } from '@gantry/control-plane/db/tables'
import { attempt, spend } from '@gantry/control-plane/work/attempts'
import { type Change, change, changeBefore, type Scope } from '@gantry/control-plane/change/change'
import { latestPast } from '@gantry/control-plane/context/time'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import { ownOrigin } from '@gantry/control-plane/context/origin'
import { invalid, notFound, Refusal } from '@gantry/control-plane/context/refusal'
import { authSettingsOf } from '../auth-settings.ts'
import { lockCaller } from '../sessions/end-credentials.ts'
import { deviceAttempts, devicePolls, userCodeAttempts } from '../password/limits.ts'
import { needSession } from '../sessions/need-session.ts'
import { needRoomForToken } from './token-limit.ts'

/** Characters kept of a device's user agent; as in the audit log. */
const userAgentKept = 256

/** An error in OAuth's format, which device libraries parse (RFC 6749, 5.2). */
const oauthProblem = (error: string): Reply => new Reply({ error }, {}, { status: 400 })

/** Begins a device flow: a secret code for the device, and a short one for the user. */
export async function beginDevice(cx: Cx, { client_id, ttl_seconds }: DeviceAuthRequest): Promise<Reply> {
  const { raw, services } = cx
  if (!raw) throw new Error('a device asks by a request')
  await spend(cx, deviceAttempts(cx))
  const device_code = newSecret(services)
  const device_code_hash = await hashSecret(device_code)
  const time_created = cx.now()
  const time_expires = new Date(time_created.getTime() + deviceRequestSeconds * 1000)
  const request = {
    device_code_hash,
    client_id,
    ttl_seconds: ttl_seconds ?? null,
    source_ip: cx.request.address || null,
    user_agent: cx.request.user_agent?.slice(0, userAgentKept) ?? null,
    time_created,
    time_expires,
  }
  const user_code = await changeBefore(cx, { silo_id: null, project_id: null }, (tx) => insert(tx, request))
  return new Reply({
    device_code,
    user_code: shownUserCode(user_code),
    verification_uri: `${ownOrigin(services, raw)}/device/verify`,
    expires_in: deviceRequestSeconds,
  })
}

async function insert(
  tx: Change,
  request: Omit<Row<'device_auth_request'>, 'user_code' | 'time_denied'>,
): Promise<string> {
  for (;;) {
    const user_code = newUserCode(tx.cx)
    const inserted = await tx.plain
      .insertInto('device_auth_request')
      .values({ ...request, user_code })
      .onConflict((conflict) => conflict.column('user_code').doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows) return user_code
  }
}

/** Uniformly distributed letters: bytes beyond the last whole alphabet are redrawn. */
function newUserCode({ services }: Cx): string {
  const fair = 256 - (256 % userCodeLetters.length)
  let code = ''
  while (code.length < userCodeLength)
    for (const byte of services.random(userCodeLength))
      if (byte < fair && code.length < userCodeLength) code += userCodeLetters[byte % userCodeLetters.length]
  return code
}

/** A user at a browser lets the device that shows this code act as them: a token would outlive the one that made it. */
export async function confirmDevice(cx: Cx, shown: string): Promise<void> {
  needSession(cx, 'device')
  const request = await attempt(cx, userCodeAttempts(cx), () => findRequest(cx, shown))
  const { silo_id } = cx.user()
  const scope = { silo_id, project_id: null }
  const now = cx.now()
  // The device is told so itself, by `expired_token`.
  if (request.time_expires <= now || request.time_created > latestPast(now))
    throw invalid('device authorization request expired', 'Start over on the device to get a new code.')
  const maxSeconds =
    (await authSettingsOf(cx.db, silo_id)).device_token_max_ttl_seconds ?? tokenSecondsDefault
  const asked = request.ttl_seconds
  if (asked !== null && asked > maxSeconds) {
    // No user of the silo can approve it, and so the device need not ask again.
    await changeBefore(cx, scope, (tx) => deny(tx, request))
    throw invalid(
      `Requested TTL ${asked} seconds exceeds maximum allowed TTL for this silo of ${maxSeconds} seconds`,
      'Request a token with a shorter lifetime on the device.',
    )
  }
  const seconds = asked ?? Math.min(maxSeconds, tokenSecondsDefault)
  const time_expires = new Date(now.getTime() + seconds * 1000)
  await change(cx, scope, async (tx) => {
    await lockCaller(tx)
    await grant(tx, request, shown, { time_created: now, time_expires })
  })
}

/** A user at a browser says that this device is not theirs. Of an approval and a denial at once, one succeeds. */
export async function denyDevice(cx: Cx, shown: string): Promise<void> {
  needSession(cx, 'device')
  const request = await attempt(cx, userCodeAttempts(cx), () => findRequest(cx, shown))
  await change(cx, { silo_id: cx.user().silo_id, project_id: null }, async (tx) => {
    if (!(await deny(tx, request))) throw noSuchRequest(shown)
  })
}

/** The device learns it with its next request for the token. False if another user was first. */
async function deny(tx: Change, request: Row<'device_auth_request'>): Promise<boolean> {
  const denied = await tx.plain
    .updateTable('device_auth_request')
    .set({ time_denied: tx.cx.now() })
    .where('user_code', '=', request.user_code)
    .where('device_code_hash', '=', request.device_code_hash)
    .where('time_denied', 'is', null)
    .executeTakeFirst()
  tx.cx.request.details = detailsOf(request)
  return denied.numUpdatedRows > 0n
}

/** The details of a device in the audit log. */
const detailsOf = ({ client_id, source_ip, user_agent }: Row<'device_auth_request'>) => ({
  client_id,
  device_address: source_ip,
  device_user_agent: user_agent,
})

async function findRequest(cx: Cx, shown: string): Promise<Row<'device_auth_request'>> {
  const row = await cx.db
    .selectFrom('device_auth_request')
    .selectAll()
    .where('user_code', '=', userCodeOf(shown))
    .where('time_denied', 'is', null)
    .executeTakeFirst()
  if (!row) throw noSuchRequest(shown)
  return row
}

const noSuchRequest = (shown: string) => notFound('device-auth-request', { id: shown })

/**
 * Turns the request into a token. Of two users who approve the same code, one succeeds. Requires a lock on
 * the user.
 */
async function grant(
  tx: Change,
  request: Row<'device_auth_request'>,
  shown: string,
  times: Pick<Row<'device_access_token'>, 'time_created' | 'time_expires'>,
): Promise<void> {
  const { cx } = tx
  const { user_id } = cx.user()
  const { user_code, device_code_hash, client_id } = request
  await needRoomForToken(tx, user_id)
  const gone = await tx.plain
    .deleteFrom('device_auth_request')
    .where('user_code', '=', user_code)
    .where('device_code_hash', '=', device_code_hash)
    .where('time_denied', 'is', null)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw noSuchRequest(shown)
  const id = cx.newId()
  await tx.plain
    .insertInto('device_access_token')
    .values({
      id,
      device_code_hash,
      client_id,
      silo_user_id: user_id,
      ...times,
    })
    .execute()
  tx.note('device-access-token', id, undefined, undefined)
  cx.request.details = { ...detailsOf(request), token_id: id }
}

/** Returns the token, once. Until then, says by RFC 8628 (3.5) whether it is worth asking again. */
export async function fetchDeviceToken(
  cx: Cx,
  { grant_type, device_code, client_id }: DeviceAccessTokenRequest,
): Promise<Reply> {
  if (grant_type !== deviceGrantType) return oauthProblem('unsupported_grant_type')
  if (!isSecret(device_code)) return oauthProblem('invalid_grant')
  const device_code_hash = await hashSecret(device_code)
  const granted = await cx.db
    .selectFrom('device_access_token')
    .innerJoin('silo_user', 'silo_user.id', 'device_access_token.silo_user_id')
    .select(['device_access_token.id', 'silo_user.silo_id', 'silo_user.id as user_id'])
    .where('device_code_hash', '=', device_code_hash)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  if (!granted) return oauthProblem(await whyNoToken(cx, device_code_hash, client_id))
  const token = newSecret(cx.services)
  const token_hash = await hashSecret(token)
  const scope = { silo_id: granted.silo_id, project_id: null }
  const fetched = await changeBefore(cx, scope, (tx) => fetchOnce(tx, granted.id, token_hash))
  if (!fetched) {
    cx.request.subject = granted
    return revoke(cx, scope, granted.id)
  }
  return new Reply({
    access_token: accessTokenPrefix + token,
    token_type: 'bearer',
    token_id: granted.id,
    time_expires: fetched.time_expires.toISOString(),
  })
}

/** A code of another client is as good as unknown. The reference calls both pending, so that devices wait for ever. */
async function whyNoToken(cx: Cx, device_code_hash: string, client_id: string): Promise<string> {
  const request = await cx.db
    .selectFrom('device_auth_request')
    .select(['time_created', 'time_expires', 'time_denied'])
    .where('device_code_hash', '=', device_code_hash)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  if (!request) return 'invalid_grant'
  if (request.time_denied) return 'access_denied'
  const now = cx.now()
  if (request.time_expires <= now || request.time_created > latestPast(now)) return 'expired_token'
  try {
    await spend(cx, devicePolls(device_code_hash))
    return 'authorization_pending'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'TooManyRequests') return 'slow_down'
    throw error
  }
}

const fetchOnce = (tx: Change, id: string, token_hash: string) =>
  tx.plain
    .updateTable('device_access_token')
    .set({ token_hash, time_fetched: tx.cx.now() })
    .where('id', '=', id)
    .where('time_fetched', 'is', null)
    .returning('time_expires')
    .executeTakeFirst()

/**
 * A code that has already yielded its token was used again: one of the two callers is not the device. Neither
 * keeps the token (RFC 6749, 4.1.2, for authorisation codes); a device that lost the response starts over.
 */
async function revoke(cx: Cx, scope: Scope, id: string): Promise<Reply> {
  cx.request.status = 400
  await change(cx, scope, async (tx) => {
    await tx.plain.deleteFrom('device_access_token').where('id', '=', id).execute()
    tx.note('device-access-token', id, undefined, undefined)
  })
  return oauthProblem('invalid_grant')
}
