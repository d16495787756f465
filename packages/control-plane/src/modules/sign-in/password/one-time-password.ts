import type { User } from '@gantry/api/people/me'
import type { Cx } from '@gantry/control-plane/context/cx'
import { personView } from '../../people/people.ts'
import type { KeptPassword } from './kept-password.ts'
import {
  insertLocalUser,
  needLocalUser,
  needSiloForUsers,
  refuseOwn,
  replacePassword,
} from './local-users.ts'
import { passwordTurn } from './password-turns.ts'
import { toBase32 } from '../factors/base32.ts'

/** 80 bits, which become 16 letters and digits. */
const passwordBytes = 10

/** A password for the caller to pass on. It appears only in this response. */
async function newOneTimePassword(cx: Cx): Promise<{ password: string; kept: KeptPassword }> {
  const password = toBase32(cx.services.random(passwordBytes)).replaceAll(/(.{4})(?=.)/g, '$1-')
  const hash = await passwordTurn(cx, undefined, () => cx.services.passwords.hash(password))
  return { password, kept: { hash, is_one_time: true } }
}

export async function inviteUser(
  cx: Cx,
  siloSelector: string,
  external_id: string,
): Promise<{ user: User; password: string }> {
  const silo = await needSiloForUsers(cx, siloSelector)
  const { password, kept } = await newOneTimePassword(cx)
  return { user: personView(await insertLocalUser(cx, silo, external_id, kept)), password }
}

/** The default silo is the caller's own. */
export async function resetPassword(
  cx: Cx,
  siloSelector: string | null | undefined,
  given: string,
): Promise<{ password: string }> {
  const person = await needLocalUser(cx, siloSelector ?? cx.user().silo_id, given)
  refuseOwn(cx, person)
  const { password, kept } = await newOneTimePassword(cx)
  await replacePassword(cx, person, kept)
  return { password }
}
