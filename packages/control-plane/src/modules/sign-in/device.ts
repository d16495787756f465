import type { DeviceAccessTokenRequest, DeviceAuthRequest } from '@gantry/api/device'
import {
  deviceGrantType,
  deviceRequestSeconds,
  shownUserCode,
  userCodeLength,
  userCodeLetters,
  userCodeOf,
} from '@gantry/api/device.rules'
import { accessTokenPrefix } from '../../authz/access-token.ts'
import { hashSecret, isSecret, newSecret, secretFrom } from '../../authz/secret.ts'
import type { Row } from '../../db/tables.ts'
import { attempt, spend } from '../../kernel/attempts.ts'
import { type Change, change, changeBefore } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { Reply } from '../../kernel/implement.ts'
import { ownOrigin } from '../../kernel/origin.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { authSettingsOf } from './auth-settings.ts'
import { needCredential } from './end-credentials.ts'
import { deviceAttempts, userCodeAttempts } from './limits.ts'

const tokenFrom = (deviceCode: string): Promise<string> => secretFrom(deviceCode, 'access-token')

/** How OAuth says no, which is what the device's libraries read (RFC 6749, 5.2). */
const oauthProblem = (error: string): Reply => new Reply({ error }, {}, { status: 400 })

/** A device begins: a code that it keeps, and a short one that it shows to a person. */
export async function beginDevice(cx: Cx, { client_id, ttl_seconds }: DeviceAuthRequest): Promise<Reply> {
  const { raw, services } = cx
  if (!raw) throw new Error('a device asks by a request')
  await spend(cx, deviceAttempts(cx))
  const device_code = newSecret(services)
  const device_code_hash = await hashSecret(device_code)
  const token_hash = await hashSecret(await tokenFrom(device_code))
  const time_created = cx.now()
  const time_expires = new Date(time_created.getTime() + deviceRequestSeconds * 1000)
  const codes = { device_code_hash, token_hash }
  const request = { ...codes, client_id, ttl_seconds: ttl_seconds ?? null, time_created, time_expires }
  const user_code = await changeBefore(cx, { silo_id: null, project_id: null }, (tx) => insert(tx, request))
  return new Reply({
    device_code,
    user_code: shownUserCode(user_code),
    verification_uri: `${ownOrigin(services, raw)}/device/verify`,
    expires_in: deviceRequestSeconds,
  })
}

async function insert(tx: Change, request: Omit<Row<'device_auth_request'>, 'user_code'>): Promise<string> {
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

/** Letters that are all as likely: bytes past the last whole alphabet are drawn again. */
function newUserCode({ services }: Cx): string {
  const fair = 256 - (256 % userCodeLetters.length)
  let code = ''
  while (code.length < userCodeLength)
    for (const byte of services.random(userCodeLength))
      if (byte < fair && code.length < userCodeLength) code += userCodeLetters[byte % userCodeLetters.length]
  return code
}

/** Somebody who signed in lets the device that shows this code act as them. */
export async function confirmDevice(cx: Cx, shown: string): Promise<void> {
  const request = await attempt(cx, userCodeAttempts(cx), () => findRequest(cx, shown))
  const { silo_id, user_id } = cx.user()
  const scope = { silo_id, project_id: null }
  const now = cx.now()
  if (request.time_expires <= now) {
    // The device finds out by a token that has ended already (control plane reference, A 5.5).
    await changeBefore(cx, scope, (tx) =>
      grant(tx, request, shown, { time_created: now, time_expires: request.time_expires }),
    )
    throw invalid('device authorization request expired', 'Start again on the device to get a new code.')
  }
  const { device_token_max_ttl_seconds: most } = await authSettingsOf(cx.db, silo_id)
  const asked = request.ttl_seconds
  if (asked !== null && most !== null && asked > most)
    throw invalid(
      `Requested TTL ${asked} seconds exceeds maximum allowed TTL for this silo of ${most} seconds`,
      'Ask on the device for a token that lasts less long.',
    )
  const seconds = asked ?? most
  const time_expires = seconds === null ? null : new Date(now.getTime() + seconds * 1000)
  await change(cx, scope, async (tx) => {
    await tx.hold('silo_user', user_id)
    await needCredential(tx)
    await grant(tx, request, shown, { time_created: now, time_expires })
  })
}

async function findRequest(cx: Cx, shown: string): Promise<Row<'device_auth_request'>> {
  const row = await cx.db
    .selectFrom('device_auth_request')
    .selectAll()
    .where('user_code', '=', userCodeOf(shown))
    .executeTakeFirst()
  if (!row) throw noSuchRequest(shown)
  return row
}

const noSuchRequest = (shown: string) => notFound('device-auth-request', { id: shown })

/** The request becomes a token. Of two people who confirm the same code, one does. */
async function grant(
  tx: Change,
  { user_code, device_code_hash, token_hash, client_id }: Row<'device_auth_request'>,
  shown: string,
  times: Pick<Row<'device_access_token'>, 'time_created' | 'time_expires'>,
): Promise<void> {
  const { cx } = tx
  const gone = await tx.plain
    .deleteFrom('device_auth_request')
    .where('user_code', '=', user_code)
    .where('device_code_hash', '=', device_code_hash)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw noSuchRequest(shown)
  const id = cx.newId()
  await tx.plain
    .insertInto('device_access_token')
    .values({
      id,
      token_hash,
      device_code_hash,
      client_id,
      silo_user_id: cx.user().user_id,
      ...times,
    })
    .execute()
  tx.note('device-access-token', id, undefined, undefined)
}

/**
 * The token, as often as the device asks: it follows from the code that only the device has, so that the database
 * holds neither. Whatever is not confirmed is pending, also what never was (control plane reference, A 5.5).
 */
export async function fetchDeviceToken(
  cx: Cx,
  { grant_type, device_code, client_id }: DeviceAccessTokenRequest,
): Promise<Reply> {
  if (grant_type !== deviceGrantType) return oauthProblem('unsupported_grant_type')
  if (!isSecret(device_code)) return oauthProblem('authorization_pending')
  const token = await cx.db
    .selectFrom('device_access_token')
    .select(['id', 'time_expires'])
    .where('device_code_hash', '=', await hashSecret(device_code))
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  if (!token) return oauthProblem('authorization_pending')
  return new Reply({
    access_token: accessTokenPrefix + (await tokenFrom(device_code)),
    token_type: 'bearer',
    token_id: token.id,
    time_expires: token.time_expires?.toISOString() ?? null,
  })
}
