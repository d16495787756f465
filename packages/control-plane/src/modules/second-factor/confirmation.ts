import type { Confirmation, PasskeyRequest } from '@gantry/api/second-factor'
import { attempt, spend } from '../../kernel/attempts.ts'
import { change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { invalid } from '../../kernel/refusal.ts'
import { passwordAttempts } from '../sign-in/limits.ts'
import { checkPasskey, requestPasskey } from './assertions.ts'
import { needSession } from './confirmed.ts'
import { type Holder, holderOf, type Proof, scopeOf } from './holder.ts'
import { challengeAttempts, codeAttempts, passkeyAttempts } from './limits.ts'
import { checkTotp } from './totp-factor.ts'
import { wrongPasskey } from './wrong.ts'

/** Requests one of the caller's own passkeys. */
export async function requestConfirmation(cx: Cx): Promise<PasskeyRequest> {
  needSession(cx)
  await spend(cx, challengeAttempts(cx))
  return requestPasskey(cx, 'confirm', holderOf(cx))
}

/**
 * Confirms that the user at the browser is the one who signed in: for some minutes they may change their
 * factors.
 */
export async function confirm(cx: Cx, given: Confirmation): Promise<void> {
  const holder = holderOf(cx)
  const id = needSession(cx)
  await attempt(cx, bucketsOf(cx, holder, given), async () => {
    const proof = await proofOf(cx, holder, given)
    await change(cx, scopeOf(holder), async (tx) => {
      await proof(tx)
      await tx.plain
        .updateTable('console_session')
        .set({ time_confirmed: cx.now() })
        .where('id', '=', id)
        .execute()
    })
  })
}

function bucketsOf(cx: Cx, { id, name, silo_name }: Holder, { kind }: Confirmation) {
  switch (kind) {
    case 'password':
      return passwordAttempts(cx, silo_name, name)
    case 'totp':
      return codeAttempts(cx, id)
    case 'passkey':
      return passkeyAttempts(cx)
    default:
      return kind satisfies never
  }
}

async function proofOf(cx: Cx, holder: Holder, given: Confirmation): Promise<Proof> {
  switch (given.kind) {
    case 'password':
      return checkOwnPassword(cx, holder, given.password)
    case 'totp':
      return checkTotp(cx, holder, given.code)
    case 'passkey': {
      const { silo_user_id, proof } = await checkPasskey(cx, given, ['confirm'])
      if (silo_user_id !== holder.id) throw wrongPasskey()
      return proof
    }
    default:
      return given satisfies never
  }
}

async function checkOwnPassword(cx: Cx, { id }: Holder, password: string): Promise<Proof> {
  const row = await cx.db
    .selectFrom('silo_user_password')
    .select('hash')
    .where('silo_user_id', '=', id)
    .executeTakeFirst()
  if (!row || !(await cx.services.passwords.verify(row.hash, password)))
    throw invalid('the password is wrong', 'Enter the password that you sign in with.')
  return async () => undefined
}
