import { confirmedSeconds } from '@gantry/api/people/second-factor.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Refusal } from '@gantry/control-plane/context/refusal'
import { needSession } from '../sessions/need-session.ts'

/** Whether the user signed in or confirmed their presence within the last minutes. */
async function isConfirmed(cx: Cx): Promise<boolean> {
  const row = await cx.db
    .selectFrom('console_session')
    .select(['time_created', 'time_confirmed'])
    .where('id', '=', needSession(cx, 'factors'))
    .executeTakeFirst()
  return row !== undefined && isRecent(cx, row)
}

type Confirmed = Pick<Row<'console_session'>, 'time_created' | 'time_confirmed'>

/** Signing in confirms, too. A time in the future was written while the clock was ahead, and proves nothing. */
export const isRecent = (cx: Cx, { time_created, time_confirmed }: Confirmed): boolean =>
  Math.abs(cx.now().getTime() - (time_confirmed ?? time_created).getTime()) <= confirmedSeconds * 1000

/** An unattended browser must not suffice to lock its owner out. */
export async function needConfirmed(cx: Cx): Promise<void> {
  if (await isConfirmed(cx)) return
  throw new Refusal('Forbidden', 'confirm your identity first', {
    help: 'Enter your password or a code, or use a passkey, then repeat the change.',
    details: { needs_confirmation: true },
  })
}
