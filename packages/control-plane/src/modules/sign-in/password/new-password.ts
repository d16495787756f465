import { passwordProblem } from '@gantry/api/people/password.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalidValue } from '@gantry/control-plane/context/refusal'
import { passwordTurn } from './password-turns.ts'

/** Hashes a new password; refuses one that is easy to guess. */
export async function hashNewPassword(cx: Cx, password: string, names: readonly string[]): Promise<string> {
  const problem = passwordProblem(password, names)
  if (problem)
    throw invalidValue('password', problem, 'Choose a longer one, such as several unrelated words.')
  return passwordTurn(cx, undefined, () => cx.services.passwords.hash(password))
}
