import type { FactorAdded } from '@gantry/api/people/second-factor'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid, notFound } from '@gantry/control-plane/context/refusal'
import { lockCaller } from '../sessions/end-credentials.ts'
import { needConfirmed } from './recent-confirmation.ts'
import { factorsOf, hasFactor, secondFactorRule } from './factors.ts'
import { type Holder, holderOf, noteFactors, type Proof, scopeOf } from './factor-holder.ts'
import { writeRecoveryCodes } from './recovery-codes.ts'
import { noPendingSignIn } from './refusals.ts'

/** Stores a proven factor. The first one comes with recovery codes. */
async function keepFactor(tx: Change, holder: Holder, proof: Proof, wasAny: boolean): Promise<FactorAdded> {
  await proof(tx)
  noteFactors(tx, holder)
  return { recovery_codes: wasAny ? null : await writeRecoveryCodes(tx, holder) }
}

/** For a signed-in user; the check runs once authorisation has succeeded. */
export async function addFactor(cx: Cx, check: (holder: Holder) => Promise<Proof>): Promise<FactorAdded> {
  const holder = holderOf(cx)
  await needConfirmed(cx)
  const proof = await check(holder)
  return change(cx, scopeOf(holder), async (tx) => {
    await lockCaller(tx)
    return keepFactor(tx, holder, proof, hasFactor(await factorsOf(tx.read, holder.id)))
  })
}

/**
 * For a user who must have a factor and has none. A user with one must present it: the password alone must
 * not add any.
 */
export async function addFirstFactor(tx: Change, holder: Holder, proof: Proof): Promise<FactorAdded> {
  if (hasFactor(await factorsOf(tx.read, holder.id))) throw noPendingSignIn()
  return keepFactor(tx, holder, proof, false)
}

/** Removes one of the caller's own factors. Recovery codes are removed with the last. */
export async function removeFactor(cx: Cx, from: 'passkey' | 'totp', passkeyId?: string): Promise<void> {
  const holder = holderOf(cx)
  await needConfirmed(cx)
  await change(cx, scopeOf(holder), async (tx) => {
    await lockCaller(tx)
    const own = tx.plain.deleteFrom(from as 'passkey').where('silo_user_id', '=', holder.id)
    const gone = await (passkeyId === undefined ? own : own.where('id', '=', passkeyId)).executeTakeFirst()
    if (gone.numDeletedRows === 0n)
      throw passkeyId === undefined
        ? notFound('totp', { text: 'authenticator app' })
        : notFound('passkey', { id: passkeyId })
    if (!hasFactor(await factorsOf(tx.read, holder.id))) await loseLast(tx, holder)
    noteFactors(tx, holder)
  })
}

async function loseLast(tx: Change, { id, silo_id }: Holder): Promise<void> {
  if ((await secondFactorRule(tx.read, silo_id)) === 'required')
    throw invalid('your silo requires a second factor', 'Set up another one before you remove this one.')
  await tx.plain.deleteFrom('recovery_code').where('silo_user_id', '=', id).execute()
}
