import { changeBefore } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reply } from '@gantry/control-plane/pipeline/implement'
import { invalidValue, unauthorized } from '@gantry/control-plane/context/refusal'
import { endCredentials } from '../sessions/end-credentials.ts'
import { passwordOf, writePassword } from './kept-password.ts'
import { hashNewPassword } from './new-password.ts'
import { passwordTurn } from './password-turns.ts'
import { openSession, consumePending } from '../factors/complete-sign-in.ts'
import { scopeOf } from '../factors/factor-holder.ts'
import { needPending, type Pending } from '../factors/pending.ts'
import { secondStep } from '../factors/second-step.ts'

/**
 * Replaces the one-time password of a pending sign-in, and completes it. If the silo requires a second factor
 * and the user has none, setting one up comes next.
 */
export async function loginNewPassword(cx: Cx, siloName: string, password: string): Promise<Reply> {
  const pending = await needPending(cx, siloName, 'new_password')
  const { holder, factor_shown } = pending
  const hash = await hashNewPassword(cx, password, [holder.name, holder.silo_name])
  await refuseSame(cx, holder.id, password)
  await replaceOneTime(cx, pending, hash)
  const next = factor_shown ? undefined : await secondStep(cx, { ...holder, hash, is_one_time: false })
  return (
    next ??
    openSession(cx, holder, async (_, now) => {
      if (now !== hash) throw unauthorized()
    })
  )
}

/** The issuer of a one-time password knows it. */
async function refuseSame(cx: Cx, id: string, password: string): Promise<void> {
  const row = await cx.db
    .selectFrom('silo_user_password')
    .select('hash')
    .where('silo_user_id', '=', id)
    .executeTakeFirst()
  const isSame =
    row && (await passwordTurn(cx, undefined, () => cx.services.passwords.verify(row.hash, password)))
  if (isSame) throw invalidValue('password', 'it is the one-time password', 'Choose a password of your own.')
}

const replaceOneTime = (cx: Cx, pending: Pending, hash: string): Promise<void> =>
  changeBefore(cx, scopeOf(pending.holder), async (tx) => {
    const { id } = pending.holder
    await tx.lockById('silo_user', id)
    await consumePending(tx, pending, (await passwordOf(tx, id))?.hash)
    await writePassword(tx, { id }, { hash, is_one_time: false })
    await endCredentials(tx, id)
    tx.note('silo-user', id, undefined, undefined)
  })
