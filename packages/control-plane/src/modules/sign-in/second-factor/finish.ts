import { hashSecret } from '../../../authz/secret.ts'
import { type Change, change } from '../../../kernel/change.ts'
import type { Cx } from '../../../kernel/cx.ts'
import { Reply } from '../../../kernel/implement.ts'
import { unauthorized } from '../../../kernel/refusal.ts'
import { accountOf, knownDevice, rememberDevice } from '../known-device.ts'
import { cookieOf, insertSession, newSession } from '../open-session.ts'
import { type Holder, scopeOf } from './holder.ts'
import type { Pending } from './pending.ts'
import { noPendingSignIn } from './wrong.ts'

/** Opens the session of a sign-in that waited. It is used up: of two that go on with it at once, one does. */
export const finishPending = <Result>(
  cx: Cx,
  { secret_hash, password_hash, holder }: Pending,
  run: (tx: Change) => Promise<Result>,
): Promise<Reply> =>
  openSession(cx, holder, async (tx, hash) => {
    if ((await hashSecret(hash)) !== password_hash) throw noPendingSignIn()
    const used = await tx.plain
      .deleteFrom('pending_sign_in')
      .where('secret_hash', '=', secret_hash)
      .executeTakeFirst()
    if (used.numDeletedRows === 0n) throw noPendingSignIn()
    return run(tx)
  })

/** Opens a session with what `run` does. Who has no password may not sign in, whatever else they have. */
export async function openSession<Result>(
  cx: Cx,
  holder: Holder,
  run: (tx: Change, passwordHash: string) => Promise<Result>,
): Promise<Reply> {
  const { token, token_hash } = await newSession(cx)
  const result = await change(cx, scopeOf(holder), async (tx) => {
    // A new password, a reset or a deletion comes before this, or finds the session.
    await tx.lock('silo_user', holder.id)
    const row = await tx.read
      .selectFrom('silo_user_password')
      .select('hash')
      .where('silo_user_id', '=', holder.id)
      .executeTakeFirst()
    if (!row) throw unauthorized()
    const value = await run(tx, row.hash)
    await insertSession(tx, holder, token_hash)
    return value
  })
  const account = accountOf(holder.silo_name, holder.name)
  const devices = await rememberDevice(cx, account, await knownDevice(cx, account))
  return new Reply(result, { 'set-cookie': [...Object.values(cookieOf(cx, token)), ...devices] })
}
