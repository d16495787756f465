import type { ActivityEntry } from '@gantry/api/history/activity'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { AuditActor, Row } from '../../db/tables.ts'

interface Told {
  actor: AuditActor
  request_id: string | null
  silo_id: string | null
  project_id: string | null
}

interface RequestMade extends Pick<
  Row<'audit'>,
  'auth_method' | 'user_agent' | 'time_started' | 'time_completed'
> {
  /** Who saved the plan that the request committed. */
  planned_by: { id: string; name: string | null } | null
}

type NoRequest = { [Column in keyof RequestMade]: null }

interface Surroundings {
  /** By the id of the request, as long as its audit record is kept. */
  requests: ReadonlyMap<string, RequestMade>
  actorOf: (told: Told) => ActivityEntry['actor']
  /** Who saved the plan that the request committed. */
  plannedByOf: (told: Told) => ActivityEntry['planned_by']
  placeOf: (told: Told) => Pick<ActivityEntry, 'project' | 'silo'>
  /** How long the request took (ms). */
  tookOf: (told: Told) => number | undefined
}

/** What is around changes: who made them, by which request, and where. */
export async function surroundingsOf(cx: Cx, told: readonly Told[]): Promise<Surroundings> {
  const { requests, names } = await foundAround(cx, told)
  const place = (id: string | null) => {
    const name = names.get(id ?? '')
    return id !== null && name !== undefined ? { id, name } : null
  }
  return {
    requests,
    actorOf: ({ actor, request_id }) => {
      if (actor.kind === 'system')
        return {
          ...nobody,
          kind: 'platform',
          name: actor.schedule ? `schedule ${actor.schedule.name}` : null,
        }
      if (actor.kind === 'unauthenticated') return { ...nobody, kind: 'anonymous' }
      if (actor.kind === 'scim')
        return {
          ...nobody,
          kind: 'scim',
          auth_method: 'scim_token',
          user_agent: requests.get(request_id ?? '')?.user_agent ?? null,
          token: actor.token,
        }
      // Which operator it was is none of the silo's business.
      if (!cx.can('read', { class: 'siloUser', silo_id: actor.silo_id })) return { ...nobody, kind: 'user' }
      const { auth_method = null, user_agent = null } = requests.get(request_id ?? '') ?? {}
      const id = actor.silo_user_id
      return {
        kind: 'user',
        id,
        name: names.get(id) ?? null,
        auth_method,
        user_agent,
        token: actor.token ?? null,
      }
    },
    plannedByOf: ({ actor, request_id }) =>
      actor.kind === 'silo_user' && cx.can('read', { class: 'siloUser', silo_id: actor.silo_id })
        ? (requests.get(request_id ?? '')?.planned_by ?? null)
        : null,
    placeOf: ({ project_id, silo_id }) => ({
      project: place(project_id),
      silo: place(silo_id),
    }),
    tookOf: ({ request_id }) => {
      const made = requests.get(request_id ?? '')
      return made && made.time_completed.getTime() - made.time_started.getTime()
    },
  }
}

const nobody = { id: null, name: null, auth_method: null, user_agent: null, token: null } as const

/**
 * In one statement, as every page of activity asks both: requests by id, and the names of users, projects and silos, of
 * deleted ones too for as long as they are kept.
 */
async function foundAround(
  cx: Cx,
  told: readonly Told[],
): Promise<{ requests: Map<string, RequestMade>; names: Map<string, string> }> {
  const requestIds = new Set(told.flatMap(({ request_id }) => request_id ?? []))
  const ids = new Set(
    told.flatMap(({ actor, project_id, silo_id }) => [
      ...(actor.kind === 'silo_user' ? [actor.silo_user_id] : []),
      ...(project_id ? [project_id] : []),
      ...(silo_id ? [silo_id] : []),
    ]),
  )
  if (ids.size + requestIds.size === 0) return { requests: new Map(), names: new Map() }
  const any = sql`ANY (${[...ids]}::uuid[])`
  const { rows } = await sql<
    { id: string } & (({ name: string } & NoRequest) | ({ name: null } & RequestMade))
  >`
    SELECT asked.id, NULL AS name, found.* FROM unnest(${[...requestIds]}::text[]) asked (id)
    CROSS JOIN LATERAL (SELECT auth_method, user_agent, time_started, time_completed,
        details->'planned_by' AS planned_by FROM audit
      WHERE request_id = asked.id LIMIT 1) found
    UNION ALL SELECT id::text, name, NULL, NULL, NULL, NULL, NULL FROM (
      SELECT u.id, coalesce(a.name, u.external_id) AS name FROM silo_user u
        LEFT JOIN service_account a ON u.is_service_account AND a.id = u.id WHERE u.id = ${any}
      UNION ALL SELECT id, name FROM project WHERE id = ${any}
      UNION ALL SELECT id, name FROM silo WHERE id = ${any}
    ) named`.execute(cx.db)
  const requests = new Map<string, RequestMade>()
  const names = new Map<string, string>()
  for (const row of rows)
    if (row.name === null) requests.set(row.id, row)
    else names.set(row.id, row.name)
  return { requests, names }
}
