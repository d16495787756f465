import { pendingSignInSeconds } from '@gantry/api/people/second-factor.rules'
import { sql } from 'kysely'
import { readCookie, setCookie } from '@gantry/control-plane/authz/cookies'
import { findPerson } from '@gantry/control-plane/authz/person'
import { hashSecret, isSecret } from '@gantry/control-plane/authz/secret'
import type { Change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import type { Holder } from './factor-holder.ts'
import { expiryAfter, isUnexpired } from './expiry.ts'
import { noPendingSignIn } from './refusals.ts'

const cookieName = 'sign_in'
/** Pending sign-ins per user; beyond that the oldest is dropped. */
const pendingMax = 20

/**
 * A sign-in with the right password that still needs a second factor or a new password. It allows nothing but
 * completing it.
 */
export interface Pending {
  secret_hash: string
  password_hash: string
  factor_shown: boolean
  holder: Holder
}

/** A sign-in to be completed by a second factor or a new password. */
export interface Waiting {
  silo_user_id: string
  /** Hash of the presented password. */
  hash: string
  waits_for: 'second_factor' | 'new_password'
  factor_shown: boolean
}

/** Ends the request with a 401 that lists the next steps, and a cookie that identifies the browser. */
export function pendingReply(
  cx: Cx,
  secret: string,
  message: string,
  details: Record<string, unknown>,
): Reply {
  const body = {
    request_id: cx.request.id,
    error_code: 'Unauthorized',
    message,
    help: 'Sign in through the console.',
    details,
  }
  return new Reply(body, cookieOf(cx, secret), { status: 401 })
}

/** Stores a pending sign-in under the hash of its secret. Requires a lock on the user. */
export async function insertPending(
  tx: Change,
  { hash, silo_user_id, ...waiting }: Waiting,
  secret: string,
): Promise<void> {
  const time_created = tx.cx.now()
  // No session was opened: the audit record says how this request ends.
  tx.cx.request.status = 401
  await tx.plain
    .deleteFrom('pending_sign_in')
    .where('silo_user_id', '=', silo_user_id)
    .where(
      sql<boolean>`secret_hash NOT IN (SELECT newer.secret_hash FROM pending_sign_in newer
        WHERE newer.silo_user_id = ${silo_user_id} ORDER BY newer.time_created DESC LIMIT ${pendingMax - 1})`,
    )
    .execute()
  await tx.plain
    .insertInto('pending_sign_in')
    .values({
      ...waiting,
      silo_user_id,
      secret_hash: await hashSecret(secret),
      password_hash: await hashSecret(hash),
      time_created,
      time_expires: expiryAfter(time_created, pendingSignInSeconds),
    })
    .execute()
}

function cookieOf({ services, raw }: Cx, secret: string): Record<string, string> {
  const cookie = {
    name: cookieName,
    value: secret,
    maxAge: pendingSignInSeconds,
    sameSite: 'Strict',
  } as const
  return raw ? { 'set-cookie': setCookie(services, raw, cookie) } : {}
}

/** This browser's pending sign-in at a silo. From here on the request is attributed to that user. */
export async function needPending(
  cx: Cx,
  siloName: string,
  waitsFor: Waiting['waits_for'] = 'second_factor',
): Promise<Pending> {
  const secret = cx.raw && readCookie(cx.services, cx.raw, cookieName)
  if (!secret || !isSecret(secret)) throw noPendingSignIn()
  const row = await cx.db
    .selectFrom('pending_sign_in')
    .innerJoin('silo_user', 'silo_user.id', 'pending_sign_in.silo_user_id')
    .innerJoin('silo', 'silo.id', 'silo_user.silo_id')
    .select([
      'pending_sign_in.secret_hash',
      'pending_sign_in.password_hash',
      'pending_sign_in.factor_shown',
      'silo_user.id',
      'silo_user.silo_id',
      'silo_user.external_id',
      'silo.name as silo_name',
    ])
    .where('pending_sign_in.secret_hash', '=', await hashSecret(secret))
    .where('pending_sign_in.waits_for', '=', waitsFor)
    .where(isUnexpired(cx.now(), pendingSignInSeconds))
    .where('silo_user.time_deleted', 'is', null)
    .where('silo.time_deleted', 'is', null)
    .where('silo.name', '=', siloName)
    .executeTakeFirst()
  const person = row && (await findPerson(cx.services, row.id))
  if (!row || !person) throw noPendingSignIn()
  cx.actor = person
  const { secret_hash, password_hash, factor_shown, id, silo_id, external_id, silo_name } = row
  return { secret_hash, password_hash, factor_shown, holder: { id, silo_id, name: external_id, silo_name } }
}
