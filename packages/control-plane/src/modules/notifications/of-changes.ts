import type { RoleAssignment, RolePolicy } from '@gantry/api/people/policy'
import { notificationLimits } from '@gantry/api/history/notification.rules'
import { notificationWords } from '@gantry/api/history/notification-words.rules'
import { isOpenTask } from '@gantry/api/history/task.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { isPending, workKinds } from '../../change/task.ts'
import { large } from '../history/member.ts'
import type { Begun } from '../tasks/source.ts'
import { toldOf } from '../tasks/told.ts'
import type { Seen } from './of-tasks.ts'
import { type Raised, aboutNothing } from './raise.ts'
import { membersOf } from './recipients.ts'

/** What a portion of changes means for users. */
export const ofChanges = async (cx: Cx, changes: readonly Seen[]): Promise<Raised[]> => [
  ...(await endedTasks(cx, changes.filter(endsWork))),
  ...(await ofOwnInstances(cx, changes.filter(isOfInstance))),
  ...(await givenRoles(
    cx,
    changes.filter(({ kind }) => kind === 'policy'),
  )),
]

/** What may end work: whether it did, the work itself says. */
const endsWork = ({ kind, before, after }: Seen): boolean =>
  workKinds.has(kind)
    ? after?.state !== undefined && after.state !== 'running'
    : isPending(kind, before) && after !== null && !isPending(kind, after)

const longMs = notificationLimits.longSeconds * 1000

/** Tasks of users that failed, or that took long. */
async function endedTasks(cx: Cx, ended: readonly Seen[]): Promise<Raised[]> {
  if (ended.length === 0) return []
  const { rows } = await sql<Begun>`
    SELECT DISTINCT ON (found.id) found.* FROM unnest(${ended.map(({ object_id }) => object_id)}::uuid[],
      ${ended.map(({ kind }) => kind)}::text[], ${ended.map(({ time }) => time)}::timestamptz[]) asked (id, kind, time)
    CROSS JOIN LATERAL (
      SELECT c.id, c.kind, c.object_id, c.name, c.silo_id, c.project_id, c.actor, c.operation, c.time, c.generation,
        c.before - ${large}::text[] AS before, c.after - ${large}::text[] AS after, c.task
      FROM change c WHERE c.object_id = asked.id AND c.task IS NOT NULL AND c.task = asked.kind AND c.time <= asked.time
      ORDER BY c.time DESC, c.id DESC LIMIT 1) found
    WHERE found.actor->>'kind' = 'silo_user'`.execute(cx.db)
  const told = await toldOf(cx, rows)
  return rows.flatMap((begun): Raised[] => {
    const one = told.get(begun.id)
    if (!one || begun.actor.kind !== 'silo_user' || isOpenTask(one.state)) return []
    const { kind, object_id, name, silo_id, project_id, time } = begun
    const object = one.object ?? { kind, id: object_id, name }
    // Work on one object is about it: rows of the work itself have no page.
    const about = object.id === null ? { kind, id: object_id } : object
    const took = (one.time_ended ?? cx.now()).getTime() - time.getTime()
    const hasFailed = one.state === 'failed'
    if (!hasFailed && (one.state !== 'finished' || took < longMs)) return []
    const kindOfEnd = hasFailed ? 'task_failed' : 'task_finished'
    const { count = 1, progress = null, verb, state, failure } = one
    return [
      {
        silo_user_id: begun.actor.silo_user_id,
        key: `task:${begun.id}`,
        kind: kindOfEnd,
        time: one.time_ended ?? cx.now(),
        ...notificationWords[kindOfEnd]({
          task: { verb, state, count, progress, object },
          failure: failure ?? null,
        }),
        object_kind: about.kind,
        object_id: about.id,
        object_name: object.name,
        silo_id,
        project_id,
        task_id: begun.id,
      },
    ]
  })
}

/** One that failed while it starts fails as a task. */
const isOfInstance = ({ kind, actor, action, before }: Seen): boolean =>
  kind === 'instance' &&
  actor.kind === 'system' &&
  (action === 'restarted' || (action === 'failed' && !isPending(kind, before)))

/** Instances of those who created them. */
async function ofOwnInstances(cx: Cx, changes: readonly Seen[]): Promise<Raised[]> {
  if (changes.length === 0) return []
  const { rows } = await sql<{ id: string; owner: string }>`
    SELECT asked.id, found.owner FROM unnest(${[...new Set(changes.map(({ object_id }) => object_id))]}::uuid[]) asked (id)
    CROSS JOIN LATERAL (
      SELECT c.actor->>'silo_user_id' AS owner FROM change c
      WHERE c.object_id = asked.id AND c.entry_id IS NOT NULL AND c.actor->>'kind' = 'silo_user'
      ORDER BY c.time, c.id LIMIT 1) found`.execute(cx.db)
  const owners = new Map(rows.map(({ id, owner }) => [id, owner]))
  return changes.flatMap((change): Raised[] => {
    const owner = owners.get(change.object_id)
    if (!owner) return []
    const { id, object_id, name, silo_id, project_id, time, action, after } = change
    const failure = after?.failure as { message?: string; next_step?: string } | null | undefined
    const hasFailed = action === 'failed'
    return [
      {
        silo_user_id: owner,
        key: `change:${id}`,
        kind: hasFailed ? 'instance_failed' : 'instance_restarted',
        time,
        ...(hasFailed
          ? notificationWords.instance_failed({ name, failure: failure ?? null })
          : notificationWords.instance_restarted({ name })),
        object_kind: 'instance',
        object_id,
        object_name: name,
        silo_id,
        project_id,
        task_id: null,
      },
    ]
  })
}

const assignmentsIn = (row: Seen['after']): readonly RoleAssignment[] =>
  (row as Partial<RolePolicy> | null)?.role_assignments ?? []

/** Roles that someone else gave, directly or to a group. */
async function givenRoles(cx: Cx, changes: readonly Seen[]): Promise<Raised[]> {
  const given = changes.flatMap((change) => {
    const had = new Set(assignmentsIn(change.before).map((one) => `${one.identity_id} ${one.role_name}`))
    const roles = assignmentsIn(change.after).filter((one) => !had.has(`${one.identity_id} ${one.role_name}`))
    return roles.length > 0 ? [{ change, roles }] : []
  })
  if (given.length === 0) return []
  const [names, members] = await Promise.all([
    namesAround(
      cx,
      given.map(({ change }) => change),
    ),
    membersOf(
      cx,
      given.flatMap(({ roles }) => roles),
    ),
  ])
  return given.flatMap(({ change, roles }) => {
    const { id, actor, silo_id, project_id, time } = change
    const place = silo_id === null ? null : (project_id ?? silo_id)
    // An operator of another silo is not named.
    const giver =
      actor.kind === 'silo_user' && actor.silo_id === silo_id
        ? (names.get(actor.silo_user_id) ?? 'Someone')
        : null
    const users = [...members(roles)].filter(
      ([user]) => actor.kind !== 'silo_user' || actor.silo_user_id !== user,
    )
    return users.map(([user, role]): Raised => ({
      ...aboutNothing,
      silo_user_id: user,
      key: `role:${id}`,
      kind: 'role',
      time,
      ...notificationWords.role({
        role,
        place:
          place === null ? null : { kind: project_id ? 'project' : 'silo', name: names.get(place) ?? '' },
        giver,
      }),
      ...(project_id && { object_kind: 'project', object_id: project_id, object_name: null }),
      silo_id,
      project_id,
    }))
  })
}

/** The names of the places and the users of changes, by id, in one statement. */
async function namesAround(cx: Cx, changes: readonly Seen[]): Promise<ReadonlyMap<string, string>> {
  const ids = changes.flatMap(({ silo_id, project_id, actor }) => [
    ...(silo_id === null ? [] : [silo_id]),
    ...(project_id === null ? [] : [project_id]),
    ...(actor.kind === 'silo_user' ? [actor.silo_user_id] : []),
  ])
  const any = sql`ANY (${[...new Set(ids)]}::uuid[])`
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM silo WHERE id = ${any} UNION ALL SELECT id, name FROM project WHERE id = ${any}
    UNION ALL SELECT id, external_id FROM silo_user WHERE id = ${any}`.execute(cx.db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
