import { confirmedSeconds } from '@gantry/api/second-factor.rules'
import type { Cx } from '../../../kernel/cx.ts'
import { Refusal } from '../../../kernel/refusal.ts'

/** The session that asks; what signs in for long must not be changed by what an access token lets a program do. */
export function needSession(cx: Cx): string {
  const { credential } = cx.user()
  if (credential?.method !== 'session_cookie')
    throw new Refusal('Forbidden', 'access tokens cannot change second factors', {
      help: 'Sign in to the console with a browser and change them there.',
    })
  return credential.id
}

/** Whether the person signed in or proved to be there within the last minutes. */
export async function isConfirmed(cx: Cx): Promise<boolean> {
  const row = await cx.db
    .selectFrom('console_session')
    .select(['time_created', 'time_confirmed'])
    .where('id', '=', needSession(cx))
    .executeTakeFirst()
  if (!row) return false
  const ageMs = cx.now().getTime() - (row.time_confirmed ?? row.time_created).getTime()
  // A moment in the future was written by a clock that was ahead, and proves nothing of now.
  return Math.abs(ageMs) <= confirmedSeconds * 1000
}

/** A browser that somebody left open must not be enough to lock its owner out. */
export async function needConfirmed(cx: Cx): Promise<void> {
  if (await isConfirmed(cx)) return
  throw new Refusal('Forbidden', 'confirm your identity first', {
    help: 'Enter your password or a code, or use a passkey, then repeat the change.',
    details: { needs_confirmation: true },
  })
}
