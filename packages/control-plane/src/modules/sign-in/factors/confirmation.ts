import type { Confirmation, PasskeyRequest } from '@gantry/api/people/second-factor'
import { attempt, spend } from '@gantry/control-plane/work/attempts'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import { needSession } from '../sessions/need-session.ts'
import { checkOwnPassword } from '../password/own-password.ts'
import { checkPasskey, requestPasskey } from './assertions.ts'
import { type Holder, holderOf, type Proof, scopeOf } from './factor-holder.ts'
import { challengeAttempts, codeAttempts, passkeyAttempts } from './limits.ts'
import { checkTotp } from './totp-factor.ts'
import { wrongPasskey } from './refusals.ts'

/** Requests one of the caller's own passkeys. */
export async function requestConfirmation(cx: Cx): Promise<PasskeyRequest> {
  needSession(cx, 'factors')
  await spend(cx, challengeAttempts(cx))
  return requestPasskey(cx, 'confirm', holderOf(cx))
}

/**
 * Confirms that the user at the browser is the one who signed in: for some minutes they may change their
 * factors.
 */
export async function confirm(cx: Cx, given: Confirmation): Promise<void> {
  const holder = holderOf(cx)
  const id = needSession(cx, 'factors')
  const keep = (proof?: Proof) =>
    change(cx, scopeOf(holder), async (tx) => {
      await proof?.(tx)
      await tx.plain
        .updateTable('console_session')
        .set({ time_confirmed: cx.now() })
        .where('id', '=', id)
        .execute()
    })
  if (given.kind === 'password') {
    await checkOwnPassword(cx, given.password, wrongPassword)
    return keep()
  }
  await attempt(cx, bucketsOf(cx, holder, given), async () => keep(await proofOf(cx, holder, given)))
}

const wrongPassword = () => invalid('the password is wrong', 'Enter the password that you sign in with.')

type OfFactor = Exclude<Confirmation, { kind: 'password' }>

function bucketsOf(cx: Cx, { id }: Holder, { kind }: OfFactor) {
  switch (kind) {
    case 'totp':
      return codeAttempts(cx, id)
    case 'passkey':
      return passkeyAttempts(cx)
    default:
      return kind satisfies never
  }
}

async function proofOf(cx: Cx, holder: Holder, given: OfFactor): Promise<Proof> {
  switch (given.kind) {
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
