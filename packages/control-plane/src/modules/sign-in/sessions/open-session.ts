import { sql } from 'kysely'
import { setCookie } from '@gantry/control-plane/authz/cookies'
import { sessionAbsoluteMinutes, sessionCookieName } from '@gantry/control-plane/authz/session'
import { hashSecret, newSecret } from '@gantry/control-plane/authz/secret'
import type { Change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { unauthorized } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'

/** Characters kept of a user agent; as in the audit log. */
const userAgentKept = 256

function cookie({ services, raw }: Cx, value: string, maxAge: number): string {
  if (!raw) throw new Error('a browser comes with a request')
  return setCookie(services, raw, { name: sessionCookieName, value, maxAge })
}

/** A secret for a new session, hashed outside the transaction that stores it. */
export async function newSession(cx: Cx): Promise<{ token: string; token_hash: string }> {
  const token = newSecret(cx.services)
  return { token, token_hash: await hashSecret(token) }
}

/**
 * Always a new session, whatever the browser sent: reusing one that an attacker planted would give them
 * access.
 */
export async function insertSession(
  tx: Change,
  user: Pick<Row<'silo_user'>, 'id'>,
  token_hash: string,
): Promise<void> {
  const { cx } = tx
  const now = cx.now()
  // Ending the user's sessions, or deleting the user, either precedes this or finds the session; and
  // concurrent sign-ins count each other's sessions.
  const { is_active } = await tx.lockById('silo_user', user.id)
  if (!is_active) throw unauthorized()
  await endOldest(tx, user.id)
  await tx.plain
    .insertInto('console_session')
    .values({
      id: cx.newId(),
      token_hash,
      silo_user_id: user.id,
      time_created: now,
      time_last_used: now,
      user_agent: cx.request.user_agent?.slice(0, userAgentKept) ?? null,
      address: cx.request.address || null,
    })
    .execute()
}

/** Makes room for one more session: refusing at the limit would let forgotten sessions lock a user out. */
async function endOldest(tx: Change, silo_user_id: string): Promise<void> {
  const limit = tx.cx.services.settings.limits.sessions_per_person
  const ended = await tx.plain
    .deleteFrom('console_session')
    .where('silo_user_id', '=', silo_user_id)
    .where(
      sql<boolean>`id NOT IN (SELECT newer.id FROM console_session newer WHERE newer.silo_user_id = ${silo_user_id}
        ORDER BY newer.time_last_used DESC, newer.time_created DESC LIMIT ${limit - 1})`,
    )
    .returning('id')
    .execute()
  for (const { id } of ended) tx.note('console-session', id, undefined, undefined)
}

export const cookieOf = (cx: Cx, token: string): { 'set-cookie': string } => ({
  'set-cookie': cookie(cx, token, sessionAbsoluteMinutes * 60),
})

/** The cookie that makes a browser drop its session. */
export const cookieOfNone = (cx: Cx): Record<string, string> => ({ 'set-cookie': cookie(cx, '', 0) })
