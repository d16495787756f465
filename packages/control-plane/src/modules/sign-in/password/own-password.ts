import type { OwnPasswordChange } from '@gantry/api/people/own-password'
import { attempt } from '@gantry/control-plane/work/attempts'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalidValue, notFound, type Refusal } from '@gantry/control-plane/context/refusal'
import { endCredentials, lockCaller } from '../sessions/end-credentials.ts'
import { accountOf, knownDevice } from './known-device.ts'
import { passwordAttempts } from './limits.ts'
import { needSamePassword } from './local.ts'
import { writePassword } from './kept-password.ts'
import { hashNewPassword } from './new-password.ts'
import { passwordTurn } from './password-turns.ts'

const hashOfOwn = async (cx: Cx): Promise<string | undefined> => {
  const row = await cx.db
    .selectFrom('silo_user_password')
    .select('hash')
    .where('silo_user_id', '=', cx.user().user_id)
    .executeTakeFirst()
  return row?.hash
}

export const viewOwnPassword = async (cx: Cx): Promise<{ is_set: boolean }> => ({
  is_set: (await hashOfOwn(cx)) !== undefined,
})

/**
 * Requires the old password, with the same limits as a sign-in: access to an open browser must not be made
 * permanent. Ends all other sessions and access tokens, which may have been opened with the old password.
 */
export async function changeOwnPassword(
  cx: Cx,
  { old_password, password }: OwnPasswordChange,
): Promise<void> {
  const { user_id: id, silo_id, silo_name, display_name, credential } = cx.user()
  const hash = await checkOwnPassword(
    cx,
    old_password,
    () =>
      invalidValue('old_password', 'it is not your password', 'Enter the password that you sign in with.'),
    () => notFound('identity-provider', { name: 'local' }),
  )
  if (password === old_password)
    throw invalidValue('password', 'it is the current password', 'Choose a different password.')
  const fresh = await hashNewPassword(cx, password, [display_name, silo_name])
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    await lockCaller(tx)
    await needSamePassword(tx, { id, hash })
    await writePassword(tx, { id }, { hash: fresh, is_one_time: false })
    await endCredentials(tx, id, credential)
    tx.note('silo-user', id, undefined, undefined)
  })
}

/** The hash of the user's password, if it is this one: a guess has the turns and limits of a sign-in. */
export async function checkOwnPassword(
  cx: Cx,
  password: string,
  wrong: () => Refusal,
  /** The user signs in without a password. */
  none = wrong,
): Promise<string> {
  const { silo_name, display_name } = cx.user()
  const account = accountOf(silo_name, display_name)
  const device = await knownDevice(cx, account)
  return passwordTurn(cx, device && account, () =>
    attempt(cx, passwordAttempts(cx, account, device), async () => {
      const hash = await hashOfOwn(cx)
      if (hash === undefined) throw none()
      if (!(await cx.services.passwords.verify(hash, password))) throw wrong()
      return hash
    }),
  )
}
