import { factorKinds, pendingSignInSeconds, type SecondStepKind } from '@gantry/api/second-factor.rules'
import { sql } from 'kysely'
import { readCookie, setCookie } from '../../../authz/cookies.ts'
import { findPerson } from '../../../authz/person.ts'
import { hashSecret, isSecret, newSecret } from '../../../authz/secret.ts'
import { change } from '../../../kernel/change.ts'
import type { Cx } from '../../../kernel/cx.ts'
import { Reply } from '../../../kernel/implement.ts'
import { type Factors, factorsOf, hasFactor, secondFactorRule } from './factors.ts'
import { type Holder, scopeOf } from './holder.ts'
import { relyingPartyOf } from './relying-party.ts'
import { expiryAfter, stillWaits } from './waiting.ts'
import { noPendingSignIn } from './wrong.ts'

const cookieName = 'sign_in'
/** Pending sign-ins of one person, of which the oldest gives way. */
const pendingMax = 20

/** Whoever has shown the right password and not yet the second factor. It lets them do nothing but go on. */
export interface Pending {
  secret_hash: string
  password_hash: string
  holder: Holder
}

/**
 * What follows the right password where that is not enough: a 401 that names the ways to go on, with a secret by which
 * the browser is known again. Undefined where the password is enough.
 */
export async function secondStep(
  cx: Cx,
  person: { id: string; silo_id: string; hash: string },
): Promise<Reply | undefined> {
  const party = relyingPartyOf(cx)
  const factors = await factorsOf(cx.db, person.id, party?.rp_id)
  if (!hasFactor(factors) && (await secondFactorRule(cx.db, person.silo_id)) === 'optional') return undefined
  const secret = newSecret(cx.services)
  await insertPending(cx, person, await hashSecret(secret))
  const kinds = stepKinds(factors)
  const details = hasFactor(factors)
    ? { second_factor: kinds }
    : { second_factor_set_up: factorKinds.filter((kind) => kind !== 'passkey' || party) }
  const body = {
    request_id: cx.request.id,
    error_code: 'Unauthorized',
    message: hasFactor(factors) ? 'a second factor is needed' : 'a second factor must be set up',
    help: 'Sign in through the console.',
    details,
  }
  return new Reply(body, cookieOf(cx, secret), { status: 401 })
}

function stepKinds({ passkeys_here, totp, recovery_codes }: Factors): SecondStepKind[] {
  const has = { passkey: passkeys_here > 0, totp, recovery_code: recovery_codes > 0 }
  return (Object.keys(has) as SecondStepKind[]).filter((kind) => has[kind])
}

async function insertPending(
  cx: Cx,
  { id, silo_id, hash }: { id: string; silo_id: string; hash: string },
  secret_hash: string,
): Promise<void> {
  const password_hash = await hashSecret(hash)
  const time_created = cx.now()
  const time_expires = expiryAfter(time_created, pendingSignInSeconds)
  // The password alone has opened nothing: the record says how this request ends.
  cx.request.status = 401
  await change(cx, scopeOf({ silo_id }), async (tx) => {
    await tx.lock('silo_user', id)
    await tx.plain
      .deleteFrom('pending_sign_in')
      .where('silo_user_id', '=', id)
      .where(
        sql<boolean>`secret_hash NOT IN (SELECT newer.secret_hash FROM pending_sign_in newer
          WHERE newer.silo_user_id = ${id} ORDER BY newer.time_created DESC LIMIT ${pendingMax - 1})`,
      )
      .execute()
    await tx.plain
      .insertInto('pending_sign_in')
      .values({ secret_hash, silo_user_id: id, password_hash, time_created, time_expires })
      .execute()
  })
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

/** The sign-in that this browser has begun at a silo. From here on the request is that person's, for the record. */
export async function needPending(cx: Cx, siloName: string): Promise<Pending> {
  const secret = cx.raw && readCookie(cx.services, cx.raw, cookieName)
  if (!secret || !isSecret(secret)) throw noPendingSignIn()
  const row = await cx.db
    .selectFrom('pending_sign_in')
    .innerJoin('silo_user', 'silo_user.id', 'pending_sign_in.silo_user_id')
    .innerJoin('silo', 'silo.id', 'silo_user.silo_id')
    .select([
      'pending_sign_in.secret_hash',
      'pending_sign_in.password_hash',
      'silo_user.id',
      'silo_user.silo_id',
      'silo_user.external_id',
      'silo.name as silo_name',
    ])
    .where('pending_sign_in.secret_hash', '=', await hashSecret(secret))
    .where(stillWaits(cx.now(), pendingSignInSeconds))
    .where('silo_user.time_deleted', 'is', null)
    .where('silo.time_deleted', 'is', null)
    .where('silo.name', '=', siloName)
    .executeTakeFirst()
  const person = row && (await findPerson(cx.services, row.id))
  if (!row || !person) throw noPendingSignIn()
  cx.actor = person
  const { secret_hash, password_hash, id, silo_id, external_id, silo_name } = row
  return { secret_hash, password_hash, holder: { id, silo_id, name: external_id, silo_name } }
}
