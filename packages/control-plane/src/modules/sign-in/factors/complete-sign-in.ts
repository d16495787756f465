import { hashSecret } from '@gantry/control-plane/authz/secret'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import { unauthorized } from '@gantry/control-plane/context/refusal'
import { accountOf, knownDevice, rememberDevice } from '../password/known-device.ts'
import { passwordOf } from '../password/kept-password.ts'
import { cookieOf, insertSession, newSession } from '../sessions/open-session.ts'
import { type Holder, scopeOf } from './factor-holder.ts'
import { insertPending, type Pending, pendingReply } from './pending.ts'
import { newPasswordWords } from './second-step.ts'
import { noPendingSignIn } from './refusals.ts'

/** Completes a pending sign-in and consumes it: of two concurrent requests, one succeeds. */
export const completePending = <Result>(
  cx: Cx,
  pending: Pending,
  run: (tx: Change) => Promise<Result>,
): Promise<Reply> =>
  openSession(cx, pending.holder, async (tx, hash) => {
    await consumePending(tx, pending, hash)
    return run(tx)
  })

/** Requires a lock on the user; the hash is that of the user's password. */
export async function consumePending(
  tx: Change,
  { secret_hash, password_hash }: Pending,
  hash: string | undefined,
): Promise<void> {
  if (hash === undefined || (await hashSecret(hash)) !== password_hash) throw noPendingSignIn()
  const used = await tx.plain
    .deleteFrom('pending_sign_in')
    .where('secret_hash', '=', secret_hash)
    .executeTakeFirst()
  if (used.numDeletedRows === 0n) throw noPendingSignIn()
}

/**
 * Opens a session together with the work of `run`; after a one-time password, the sign-in stays pending for a
 * new password instead. A user without a password cannot sign in, whatever factors they have.
 */
export async function openSession<Result>(
  cx: Cx,
  holder: Holder,
  run: (tx: Change, passwordHash: string) => Promise<Result>,
): Promise<Reply> {
  const { token, token_hash } = await newSession(cx)
  const { result, waits } = await change(cx, scopeOf(holder), async (tx) => {
    // A password change, reset or deletion either precedes this or finds the session.
    await tx.lockById('silo_user', holder.id)
    const kept = await passwordOf(tx, holder.id)
    if (!kept) throw unauthorized()
    const { hash, is_one_time } = kept
    const value = await run(tx, hash)
    if (is_one_time)
      await insertPending(
        tx,
        { silo_user_id: holder.id, hash, waits_for: 'new_password', factor_shown: true },
        token,
      )
    else await insertSession(tx, holder, token_hash)
    return { result: value, waits: is_one_time }
  })
  if (waits) return pendingReply(cx, token, ...newPasswordWords)
  const account = accountOf(holder.silo_name, holder.name)
  const devices = await rememberDevice(cx, account, await knownDevice(cx, account))
  return new Reply(result, { 'set-cookie': [...Object.values(cookieOf(cx, token)), ...devices] })
}
