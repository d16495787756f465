import { sql } from 'kysely'
import { setCookie } from '../../authz/cookies.ts'
import { sessionAbsoluteMinutes, sessionCookieName } from '../../authz/session.ts'
import { hashSecret, newSecret } from '../../authz/secret.ts'
import type { Change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import type { Row } from '../../db/tables.ts'

/** Longest that a browser's description of itself is kept, in characters; as in the audit log. */
const userAgentKept = 256

function cookie({ services, raw }: Cx, value: string, maxAge: number): string {
  if (!raw) throw new Error('a browser comes with a request')
  return setCookie(services, raw, { name: sessionCookieName, value, maxAge })
}

/** A secret for a session to be, hashed outside of the change that will write it. */
export async function newSession(cx: Cx): Promise<{ token: string; token_hash: string }> {
  const token = newSecret(cx.services)
  return { token, token_hash: await hashSecret(token) }
}

/** Always a session of its own, whatever the browser came with: one that somebody else chose would be theirs too. */
export async function insertSession(
  tx: Change,
  user: Pick<Row<'silo_user'>, 'id'>,
  token_hash: string,
): Promise<void> {
  const { cx } = tx
  const now = cx.now()
  // Whoever ends this person's sessions, or deletes the person, does so before this or finds the session; and of those
  // who sign in at the same time, each counts the sessions of the others.
  await tx.lock('silo_user', user.id)
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

/** Makes room for one more session: a limit that refused would let a person's forgotten sessions lock them out. */
async function endOldest(tx: Change, silo_user_id: string): Promise<void> {
  const most = tx.cx.services.settings.limits.sessions_per_person
  const ended = await tx.plain
    .deleteFrom('console_session')
    .where('silo_user_id', '=', silo_user_id)
    .where(
      sql<boolean>`id NOT IN (SELECT newer.id FROM console_session newer WHERE newer.silo_user_id = ${silo_user_id}
        ORDER BY newer.time_last_used DESC, newer.time_created DESC LIMIT ${most - 1})`,
    )
    .returning('id')
    .execute()
  for (const { id } of ended) tx.note('console-session', id, undefined, undefined)
}

export const cookieOf = (cx: Cx, token: string): { 'set-cookie': string } => ({
  'set-cookie': cookie(cx, token, sessionAbsoluteMinutes * 60),
})

/** The cookie that makes a browser forget its session. */
export const cookieOfNone = (cx: Cx): Record<string, string> => ({ 'set-cookie': cookie(cx, '', 0) })
