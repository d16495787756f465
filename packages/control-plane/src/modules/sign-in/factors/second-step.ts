import { factorKinds, type SecondStepKind } from '@gantry/api/people/second-factor.rules'
import { newSecret } from '@gantry/control-plane/authz/secret'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reply } from '@gantry/control-plane/pipeline/implement'
import { type Factors, factorsOf, hasFactor, secondFactorRule } from './factors.ts'
import { scopeOf } from './factor-holder.ts'
import { insertPending, type Waiting, pendingReply } from './pending.ts'
import { relyingPartyOf } from './relying-party.ts'

interface Checked {
  id: string
  silo_id: string
  hash: string
  is_one_time: boolean
}

/**
 * The response to a correct password that does not suffice: a 401 that lists the next steps. Undefined if it
 * suffices. A user with a factor presents it before replacing a one-time password; one who must set up a
 * factor does so afterwards, with a password of their own.
 */
export async function secondStep(cx: Cx, person: Checked): Promise<Reply | undefined> {
  const party = relyingPartyOf(cx)
  const factors = await factorsOf(cx.db, person.id, party?.rp_id)
  if (hasFactor(factors))
    return begin(cx, person, 'second_factor', 'a second factor is needed', {
      second_factor: stepKinds(factors),
    })
  if (person.is_one_time) return begin(cx, person, 'new_password', ...newPasswordWords)
  if ((await secondFactorRule(cx.db, person.silo_id)) === 'optional') return undefined
  return begin(cx, person, 'second_factor', 'a second factor must be set up', {
    second_factor_set_up: factorKinds.filter((kind) => kind !== 'passkey' || party),
  })
}

/** The message of a sign-in pending a new password. */
export const newPasswordWords = ['a new password is needed', { new_password: true }] as const

function stepKinds({ passkeys_here, totp, recovery_codes }: Factors): SecondStepKind[] {
  const has = { passkey: passkeys_here > 0, totp, recovery_code: recovery_codes > 0 }
  return (Object.keys(has) as SecondStepKind[]).filter((kind) => has[kind])
}

async function begin(
  cx: Cx,
  { id, silo_id, hash }: Checked,
  waits_for: Waiting['waits_for'],
  message: string,
  details: Record<string, unknown>,
): Promise<Reply> {
  const secret = newSecret(cx.services)
  await change(cx, scopeOf({ silo_id }), async (tx) => {
    await tx.lockById('silo_user', id)
    await insertPending(tx, { silo_user_id: id, hash, waits_for, factor_shown: false }, secret)
  })
  return pendingReply(cx, secret, message, details)
}
