import {
  loginPasskey,
  loginPasskeyChallenge,
} from '@gantry/api/client/operations/extension-login.changes.gen'
import { asFailure } from '#/data/failure.ts'
import { signByPasskey } from '../factors/browser-passkeys.ts'
import { attempt, type FailedAttempt, outcomeOf } from '../attempt.ts'

/** Undefined once a session has begun. */
export async function signInByPasskey(
  siloName: string,
  use: 'sign_in' | 'second_factor',
): Promise<FailedAttempt | undefined> {
  const path = { siloName }
  const challenge = await outcomeOf(loginPasskeyChallenge, { path, body: { use } })
  if (challenge.problem) return challenge.problem
  try {
    return await attempt(loginPasskey, { path, body: await signByPasskey(challenge.data) })
  } catch (error) {
    return { failure: asFailure(error), retryAt: undefined }
  }
}
