import { CompiledQuery, sql } from 'kysely'
import type { Services } from '../kernel/cx.ts'
import { unauthorized } from '../kernel/refusal.ts'
import type { SiloUser } from './actor.ts'
import { actorOf, holderText, type PersonRow } from './person.ts'
import { hashSecret, isSecret } from './secret.ts'

/** Minutes after which an unused session, and any session, ends (control plane reference, A 5.2). */
const sessionIdleMinutes = 480
export const sessionAbsoluteMinutes = 1440
/** A session's last use is written at most this often: a write for every read would cost more than the read. */
const lastUsedGrainMs = 60_000
const minute = 60_000

interface SessionRow extends PersonRow {
  id: string
  time_created: Date
  time_last_used: Date
}

export interface OpenSession {
  holder: SiloUser
  /** Keeps it from going idle. */
  touch: () => void
}

export const sessionCookie = (request: Request): string | undefined => cookieIn(request, 'session')

export function cookieIn(request: Request, wanted: string): string | undefined {
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const [name, ...value] = part.trim().split('=')
    if (name === wanted) return value.join('=')
  }
  return undefined
}

/** The session that a cookie opens; one that opens nothing is refused, and one that ended is forgotten. */
export async function openSession(services: Services, token: string): Promise<OpenSession> {
  const row = isSecret(token) ? await findSession(services, await hashSecret(token)) : undefined
  if (!row) throw unauthorized()
  const now = services.clock()
  const [idleSince, oldSince] = sessionBounds(now)
  if (row.time_last_used < idleSince || row.time_created < oldSince) {
    await services.db.deleteFrom('console_session').where('id', '=', row.id).execute()
    throw unauthorized()
  }
  return {
    holder: actorOf(row, { method: 'session_cookie', id: row.id }),
    touch: () => {
      if (now.getTime() - row.time_last_used.getTime() > lastUsedGrainMs) touch(services, row.id, now)
    },
  }
}

/** Sessions last used, and those begun, before these moments have ended. */
const sessionBounds = (now: Date): [idleSince: Date, oldSince: Date] => [
  new Date(now.getTime() - sessionIdleMinutes * minute),
  new Date(now.getTime() - sessionAbsoluteMinutes * minute),
]

/** A condition on alias `t` that only sessions which still open meet. */
export function stillOpen(now: Date) {
  const [idleSince, oldSince] = sessionBounds(now)
  return sql`t.time_last_used >= ${idleSince} AND t.time_created >= ${oldSince}`
}

const sessionText = holderText(
  'console_session',
  'c.id, c.time_created, c.time_last_used',
  'c.token_hash = $1',
)

async function findSession({ db }: Services, tokenHash: string): Promise<SessionRow | undefined> {
  const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(sessionText, [tokenHash]))
  return rows[0]
}

/** Sessions that nobody can use any more. */
export async function forgetOldSessions({ db, clock }: Services): Promise<void> {
  const [, oldSince] = sessionBounds(clock())
  await db.deleteFrom('console_session').where('time_created', '<', oldSince).execute()
}

/** Not waited for: a failure costs nothing but an earlier idle end. */
function touch(services: Services, id: string, now: Date): void {
  services.db
    .updateTable('console_session')
    .set({ time_last_used: now })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => services.log.warn({ err: error }, 'the last use of a session was not written'))
}
