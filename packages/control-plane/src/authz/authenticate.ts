import { CompiledQuery } from 'kysely'
import type { Row } from '../db/tables.ts'
import { type Services, toHex } from '../kernel/cx.ts'
import { unauthorized } from '../kernel/refusal.ts'
import { type Actor, rolesOf, type SiloUser } from './actor.ts'

/** Minutes after which an unused session, and any session, ends (control plane reference, A 5.2). */
export const sessionIdleMinutes = 480
export const sessionAbsoluteMinutes = 1440
/** A session's last use is written at most this often: a write for every read would cost more than the read. */
const lastUsedGrainMs = 60_000
const minute = 60_000

interface PersonRow {
  silo_user_id: string
  external_id: string
  silo_id: string
  silo_name: string
  mapped_fleet_roles: Row<'silo'>['mapped_fleet_roles']
  held: Pick<Row<'role_assignment'>, 'resource_type' | 'resource_id' | 'role_name'>[]
}
interface SessionRow extends PersonRow {
  id: string
  time_created: Date
  time_last_used: Date
}

export function sessionCookie(request: Request): string | undefined {
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const [name, ...value] = part.trim().split('=')
    if (name === 'session') return value.join('=')
  }
  return undefined
}

/** Hashing waits for a thread, and every request of a page brings the same cookie. */
const hashes = new Map<string, string>()
const hashesKept = 1000

export async function hashToken(token: string): Promise<string> {
  const known = hashes.get(token)
  if (known) return known
  const hash = await digest(token)
  if (hashes.size >= hashesKept) hashes.clear()
  hashes.set(token, hash)
  return hash
}

async function digest(token: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))))
}

/** Who calls. No cookie is nobody; a cookie that opens nothing is refused at once. */
export async function authenticate(services: Services, request: Request): Promise<Actor> {
  const session = await openSession(services, request)
  if (!session) return { kind: 'anonymous' }
  const now = services.clock()
  if (now.getTime() - session.time_last_used.getTime() > lastUsedGrainMs) touch(services, session.id, now)
  return actorOf(session, session.id)
}

/** Who still listens at the end of a stream, which does not keep a session from going idle. */
export async function identifyListener(services: Services, request: Request): Promise<Actor> {
  const session = await openSession(services, request)
  return session ? actorOf(session, session.id) : { kind: 'anonymous' }
}

async function openSession(services: Services, request: Request): Promise<SessionRow | undefined> {
  const token = sessionCookie(request)
  if (token === undefined) return undefined
  const row = await findSession(services, await hashToken(token))
  if (!row) throw unauthorized()
  const now = services.clock().getTime()
  const idle = now - row.time_last_used.getTime() > sessionIdleMinutes * minute
  const old = now - row.time_created.getTime() > sessionAbsoluteMinutes * minute
  if (!idle && !old) return row
  await services.db.deleteFrom('console_session').where('id', '=', row.id).execute()
  throw unauthorized()
}

const actorOf = (row: PersonRow, session_id: string | undefined): SiloUser => ({
  kind: 'silo_user',
  ...rolesOf({ user_id: row.silo_user_id, silo_id: row.silo_id }, row.held, row.mapped_fleet_roles),
  display_name: row.external_id,
  silo_name: row.silo_name,
  session_id,
})

/** A person with silo and every role, as the columns of a query over `u` and `silo`. */
const person = `u.id AS silo_user_id, u.external_id, u.silo_id,
    silo.name AS silo_name, silo.mapped_fleet_roles, coalesce((
      SELECT jsonb_agg(jsonb_build_object('resource_type', r.resource_type, 'resource_id', r.resource_id,
        'role_name', r.role_name))
      FROM role_assignment r WHERE r.identity_id = ANY (u.id ||
        ARRAY(SELECT m.silo_group_id FROM silo_group_membership m WHERE m.silo_user_id = u.id))
    ), '[]'::jsonb) AS held`
/** Session, person, silo and every role in one round trip, from one text: each request pays for this. */
const sessionText = `
  SELECT s.id, s.time_created, s.time_last_used, ${person}
  FROM console_session s
  JOIN silo_user u ON u.id = s.silo_user_id AND u.time_deleted IS NULL
  JOIN silo ON silo.id = u.silo_id AND silo.time_deleted IS NULL
  WHERE s.token_hash = $1`

async function findSession({ db }: Services, tokenHash: string): Promise<SessionRow | undefined> {
  const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(sessionText, [tokenHash]))
  return rows[0]
}

const personText = `
  SELECT ${person}
  FROM silo_user u JOIN silo ON silo.id = u.silo_id AND silo.time_deleted IS NULL
  WHERE u.id = $1 AND u.time_deleted IS NULL`

/** Somebody in whose name the machinery goes on, with the roles of this moment; undefined when there is no such person. */
export async function findPerson({ db }: Services, userId: string): Promise<SiloUser | undefined> {
  const { rows } = await db.executeQuery<PersonRow>(CompiledQuery.raw(personText, [userId]))
  return rows[0] && actorOf(rows[0], undefined)
}

/** Sessions that nobody can use any more. */
export async function forgetOldSessions({ db, clock }: Services): Promise<void> {
  const before = new Date(clock().getTime() - sessionAbsoluteMinutes * minute)
  await db.deleteFrom('console_session').where('time_created', '<', before).execute()
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
