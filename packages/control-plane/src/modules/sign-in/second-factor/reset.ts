import type { UserSecondFactors } from '@gantry/api/second-factor'
import { change } from '../../../kernel/change.ts'
import type { Cx } from '../../../kernel/cx.ts'
import { deleteBelongings, secondFactorTables } from '../belongings.ts'
import { needLocalUser } from '../local-users.ts'
import { needConfirmed } from './confirmed.ts'
import { factorsOf } from './factors.ts'
import { noteFactors, scopeOf } from './holder.ts'

/** Whoever may set the password of a person may also look at this and take it away. */
const needHolder = (cx: Cx, silo: string | null | undefined, id: string) =>
  needLocalUser(cx, silo ?? cx.user().silo_id, id)

export async function viewFactors(
  cx: Cx,
  silo: string | null | undefined,
  given: string,
): Promise<UserSecondFactors> {
  const { id } = await needHolder(cx, silo, given)
  const { passkeys, totp, recovery_codes } = await factorsOf(cx.db, id)
  return { passkeys, totp, recovery_codes_left: recovery_codes }
}

/** For somebody who has lost what they sign in with. Whoever has it now is signed out. */
export async function resetFactors(cx: Cx, silo: string | null | undefined, given: string): Promise<void> {
  const { id, silo_id } = await needHolder(cx, silo, given)
  // One's own are taken away as in the settings: not from a browser that was left open, nor by a program.
  if (id === cx.user().user_id) await needConfirmed(cx)
  await change(cx, scopeOf({ silo_id }), async (tx) => {
    await tx.lock('silo_user', id)
    await deleteBelongings(tx, [...secondFactorTables, 'console_session'], [id])
    noteFactors(tx, { id })
    tx.note('console-session', id, undefined, undefined)
  })
}
