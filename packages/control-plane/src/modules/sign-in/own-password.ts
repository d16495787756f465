import type { OwnPasswordChange } from '@gantry/api/own-password'
import { attempt } from '../../kernel/attempts.ts'
import { change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { invalidValue, notFound } from '../../kernel/refusal.ts'
import { endCredentials, needCredential } from './end-credentials.ts'
import { accountOf, knownDevice } from './known-device.ts'
import { passwordAttempts } from './limits.ts'
import { needSamePassword } from './local.ts'
import { writePassword } from './local-users.ts'
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
 * Takes the old password, guessed no more often than at a sign-in: whoever finds a browser open must not be able to
 * keep it. What anybody else may have signed in to by the old one ends, access tokens included; the caller stays.
 */
export async function changeOwnPassword(
  cx: Cx,
  { old_password, password }: OwnPasswordChange,
): Promise<void> {
  const { user_id: id, silo_id, silo_name, display_name, credential } = cx.user()
  const account = accountOf(silo_name, display_name)
  const device = await knownDevice(cx, account)
  const hash = await passwordTurn(cx, device, () =>
    attempt(cx, passwordAttempts(cx, account, device), () => checkOld(cx, old_password)),
  )
  if (password === old_password)
    throw invalidValue('password', 'it is the current password', 'Choose a different password.')
  const fresh = await hashNewPassword(cx, password, [display_name, silo_name])
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.lock('silo_user', id)
    await needCredential(tx)
    await needSamePassword(tx, { id, hash })
    await writePassword(tx, { id }, fresh)
    await endCredentials(tx, id, credential)
    tx.note('silo-user', id, undefined, undefined)
  })
}

async function checkOld(cx: Cx, password: string): Promise<string> {
  const hash = await hashOfOwn(cx)
  if (hash === undefined) throw notFound('identity-provider', { name: 'local' })
  if (!(await cx.services.passwords.verify(hash, password)))
    throw invalidValue('old_password', 'it is not your password', 'Enter the password that you sign in with.')
  return hash
}
