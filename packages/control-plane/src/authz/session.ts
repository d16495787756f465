import { CompiledQuery, sql } from 'kysely'
import { forgetOlder } from '../db/retention.ts'
import { isOver, latestPast } from '../context/time.ts'
import type { Services } from '../context/services.ts'
import { unauthorized } from '../context/refusal.ts'
import type { SiloUser } from './actor.ts'
import type { CredentialSource } from './credential-text.ts'
import { readCookie } from './cookies.ts'
import { holderOf, type HolderRow, holderText } from './person.ts'
import { hashSecret, isSecret } from './secret.ts'
import { recentCallers } from './recent-callers.ts'

/** Idle and absolute lifetime of a session in minutes (control plane reference, A 5.2). */
const sessionIdleMinutes = 480
export const sessionAbsoluteMinutes = 1440
/** A session's last use is written at most this often: a write per read would cost more than the read. */
const lastUsedGrainMs = 60_000
const minute = 60_000

interface SessionRow extends HolderRow {
  id: string
  time_created: Date
  time_last_used: Date
}

export interface OpenSession {
  holder: SiloUser
  /** Records the use, which keeps the session from idling out. */
  touch: () => void
}

/** The session cookie's name, in the API and before a prefix (`cookies.ts`). */
export const sessionCookieName = 'session'

export const sessionCookie = (services: Services, request: Request): string | undefined =>
  readCookie(services, request, sessionCookieName)

/** The session of a cookie; refuses an unknown one, and deletes one that has ended. */
export async function openSession(services: Services, token: string): Promise<OpenSession> {
  if (!isSecret(token)) throw unauthorized()
  const hash = await hashSecret(token)
  const row = await findSession(services, hash)
  if (!row) throw unauthorized()
  const now = services.clock()
  const [idleSince, oldSince] = sessionBounds(now)
  // A start in the future means that the clock was ahead, and the real age is unknown.
  if (row.time_last_used < idleSince || row.time_created < oldSince || row.time_created > latestPast(now)) {
    await services.db.deleteFrom('console_session').where('id', '=', row.id).execute()
    throw unauthorized()
  }
  const method = 'session_cookie'
  const holder = await holderOf(services, row, { method, id: row.id })
  const endsAt = Math.min(
    row.time_last_used.getTime() + sessionIdleMinutes * minute,
    row.time_created.getTime() + sessionAbsoluteMinutes * minute,
  )
  recentCallers(services).keep(method, token, { ...holder, source, bound: () => [hash], endsAt })
  return {
    holder: holder.actor,
    touch: () => {
      if (isOver(row.time_last_used.getTime(), now.getTime(), lastUsedGrainMs)) touch(services, row.id, now)
    },
  }
}

/** Sessions last used, or begun, before these times have ended. */
const sessionBounds = (now: Date): [idleSince: Date, oldSince: Date] => [
  new Date(now.getTime() - sessionIdleMinutes * minute),
  new Date(now.getTime() - sessionAbsoluteMinutes * minute),
]

/** A condition on alias `t` that selects open sessions. */
export function stillOpen(now: Date) {
  const [idleSince, oldSince] = sessionBounds(now)
  return sql<boolean>`t.time_last_used >= ${idleSince} AND t.time_created BETWEEN ${oldSince} AND ${latestPast(now)}`
}

const source: CredentialSource = { table: 'console_session', condition: 'c.token_hash = $1' }
const sessionText = holderText(source, 'c.id, c.time_created, c.time_last_used')

async function findSession({ db }: Services, tokenHash: string): Promise<SessionRow | undefined> {
  const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(sessionText, [tokenHash]))
  return rows[0]
}

/** Deletes ended sessions. */
export async function forgetOldSessions(services: Services): Promise<void> {
  const [, before] = sessionBounds(services.clock())
  await forgetOlder(services, { table: 'console_session', time: 'time_created', before })
}

/** Ends sessions that begin in the future; a last use in the future is set to now. */
export async function repairSessions({ db }: Services, now: Date): Promise<void> {
  const past = latestPast(now)
  await db.deleteFrom('console_session').where('time_created', '>', past).execute()
  await db
    .updateTable('console_session')
    .set({ time_last_used: now })
    .where('time_last_used', '>', past)
    .execute()
}

/** Not awaited: a failure only makes the session idle out earlier. */
function touch(services: Services, id: string, now: Date): void {
  services.db
    .updateTable('console_session')
    .set({ time_last_used: now })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => services.log.warn({ err: error }, 'the last use of a session was not written'))
}
