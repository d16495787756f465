import type { UserSecondFactors } from '@gantry/api/people/second-factor'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { deleteBelongings, secondFactorTables } from '../sessions/belongings.ts'
import { needLocalUser } from '../password/local-users.ts'
import { needConfirmed } from './recent-confirmation.ts'
import { factorsOf } from './factors.ts'
import { noteFactors, scopeOf } from './factor-holder.ts'

/** The right to set a user's password includes viewing and resetting their factors. */
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

/** For a user who has lost their factors. Ends all their sessions, on every device. */
export async function resetFactors(cx: Cx, silo: string | null | undefined, given: string): Promise<void> {
  const { id, silo_id } = await needHolder(cx, silo, given)
  // Resetting one's own requires confirmation, as in the settings: neither an unattended browser nor a
  // program may do it.
  if (id === cx.user().user_id) await needConfirmed(cx)
  await change(cx, scopeOf({ silo_id }), async (tx) => {
    await tx.lockById('silo_user', id)
    await deleteBelongings(tx, [...secondFactorTables, 'console_session'], [id])
    noteFactors(tx, { id })
    tx.note('console-session', id, undefined, undefined)
  })
}
