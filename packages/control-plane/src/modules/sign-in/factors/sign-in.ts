import type {
  FactorAdded,
  PasskeyAssertion,
  PasskeyCreate,
  PasskeyRequest,
} from '@gantry/api/people/second-factor'
import { findPerson } from '@gantry/control-plane/authz/person'
import { attempt, spend } from '@gantry/control-plane/work/attempts'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import { addFirstFactor } from './add-factor.ts'
import { checkPasskey, requestPasskey } from './assertions.ts'
import { factorsOf, hasFactor, secondFactorRule } from './factors.ts'
import { completePending, openSession } from './complete-sign-in.ts'
import { type Holder, holderOf, type Proof } from './factor-holder.ts'
import { challengeAttempts, codeAttempts, passkeyAttempts } from './limits.ts'
import { needPending, type Pending } from './pending.ts'
import { beginPasskey, checkNewPasskey } from './passkeys.ts'
import { checkRecoveryCode } from './recovery-codes.ts'
import { beginTotp, checkNewTotp, checkTotp } from './totp-factor.ts'
import { noPendingSignIn, wrongPasskey } from './refusals.ts'

/** Requests any passkey of this server, or after a password one of that user's. */
export async function loginPasskeyRequest(
  cx: Cx,
  siloName: string,
  use: 'sign_in' | 'second_factor',
): Promise<PasskeyRequest> {
  await spend(cx, challengeAttempts(cx))
  return use === 'sign_in'
    ? requestPasskey(cx, use)
    : requestPasskey(cx, use, (await needPending(cx, siloName)).holder)
}

/** A passkey alone suffices: the user has it and has unlocked it. */
export const loginByPasskey = (cx: Cx, siloName: string, given: PasskeyAssertion): Promise<Reply> =>
  attempt(cx, passkeyAttempts(cx), async () => {
    const { use, silo_user_id, proof } = await checkPasskey(cx, given, ['sign_in', 'second_factor'])
    if (use === 'second_factor') {
      const pending = await needPending(cx, siloName)
      if (pending.holder.id !== silo_user_id) throw wrongPasskey()
      return completePending(cx, pending, proof)
    }
    const person = await findPerson(cx.services, silo_user_id)
    if (person?.silo_name !== siloName) throw wrongPasskey()
    cx.actor = person
    return openSession(cx, holderOf(cx), proof)
  })

export const loginByTotp = (cx: Cx, siloName: string, code: string): Promise<Reply> =>
  loginByCode(cx, siloName, (holder) => checkTotp(cx, holder, code))

export const loginByRecoveryCode = (cx: Cx, siloName: string, code: string): Promise<Reply> =>
  loginByCode(cx, siloName, (holder) => checkRecoveryCode(holder, code))

async function loginByCode(
  cx: Cx,
  siloName: string,
  check: (holder: Holder) => Promise<Proof>,
): Promise<Reply> {
  const pending = await needPending(cx, siloName)
  return attempt(cx, codeAttempts(cx, pending.holder.id), async () =>
    completePending(cx, pending, await check(pending.holder)),
  )
}

/** The sign-in of a user whose silo requires a factor and who has none: only setting one up is allowed. */
async function needSetUp(cx: Cx, siloName: string): Promise<Pending> {
  const pending = await needPending(cx, siloName)
  const { id, silo_id } = pending.holder
  const isAsked = (await secondFactorRule(cx.db, silo_id)) === 'required'
  if (!isAsked || hasFactor(await factorsOf(cx.db, id))) throw noPendingSignIn()
  return pending
}

export const loginTotpBegin = async (cx: Cx, siloName: string) =>
  beginTotp(cx, (await needSetUp(cx, siloName)).holder)

export async function loginPasskeyBegin(cx: Cx, siloName: string) {
  const { holder } = await needSetUp(cx, siloName)
  await spend(cx, challengeAttempts(cx))
  return beginPasskey(cx, holder)
}

export async function loginTotpAdd(cx: Cx, siloName: string, code: string): Promise<Reply> {
  const pending = await needSetUp(cx, siloName)
  return attempt(cx, codeAttempts(cx, pending.holder.id), async () =>
    finishSetUp(cx, pending, await checkNewTotp(cx, pending.holder, code)),
  )
}

export async function loginPasskeyAdd(cx: Cx, siloName: string, made: PasskeyCreate): Promise<Reply> {
  const pending = await needSetUp(cx, siloName)
  return attempt(cx, passkeyAttempts(cx), async () =>
    finishSetUp(cx, pending, await checkNewPasskey(cx, pending.holder, made)),
  )
}

const finishSetUp = (cx: Cx, pending: Pending, proof: Proof): Promise<Reply> =>
  completePending<FactorAdded>(cx, pending, (tx) => addFirstFactor(tx, pending.holder, proof))
