import type { RoleAssignment, RolePolicy } from '@gantry/api/people/policy'
import { notificationLimits } from '@gantry/api/history/notification.rules'
import { isOpenTask, taskSentence } from '@gantry/api/history/task.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { type PendingKind, pendingStates, stateIn } from '../../change/task.ts'
import type { Row } from '../../db/tables.ts'
import { large } from '../history/member.ts'
import type { Begun } from '../tasks/source.ts'
import { toldOf } from '../tasks/told.ts'
import { type Raised, aboutNothing } from './raise.ts'
import { membersOf } from './recipients.ts'

export type Seen = Pick<
  Row<'change'>,
  'id' | 'seq' | 'kind' | 'op' | 'object_id' | 'name' | 'time' | 'silo_id' | 'project_id' | 'actor' | 'action'
> &
  Pick<Row<'change'>, 'before' | 'after'>

/** What a portion of changes means for users. */
export const ofChanges = async (cx: Cx, changes: readonly Seen[]): Promise<Raised[]> => [
  ...(await endedTasks(cx, changes.filter(endsWork))),
  ...(await ofOwnInstances(cx, changes.filter(isOfInstance))),
  ...(await givenRoles(
    cx,
    changes.filter(({ kind }) => kind === 'policy'),
  )),
]

const isPending = (kind: string, row: Seen['after']): boolean =>
  kind in pendingStates && (pendingStates[kind as PendingKind] as readonly unknown[]).includes(stateIn(row))

/** Work with rows of its own notes its end. */
const ownEnds: ReadonlySet<string> = new Set(['instance-action', 'sled-drain'])

const endsWork = ({ kind, before, after }: Seen): boolean =>
  ownEnds.has(kind)
    ? after?.state === 'done'
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
    const took = (one.time_ended ?? cx.now()).getTime() - time.getTime()
    const hasFailed = one.state === 'failed'
    if (!hasFailed && (one.state !== 'finished' || took < longMs)) return []
    const { count = 1, progress = null, verb, state, failure } = one
    return [
      {
        silo_user_id: begun.actor.silo_user_id,
        key: `task:${begun.id}`,
        kind: hasFailed ? 'task_failed' : 'task_finished',
        time: one.time_ended ?? cx.now(),
        title: taskSentence({ verb, state, count, progress, object }),
        message: failure?.message ?? null,
        next_step: count > 1 ? null : (failure?.next_step ?? null),
        object_kind: kind,
        object_id,
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
        title: hasFailed ? `Instance ${name} failed` : `Instance ${name} was restarted`,
        message: hasFailed
          ? (failure?.message ?? null)
          : 'It had failed, and its auto-restart policy is to start it again.',
        next_step: hasFailed ? (failure?.next_step ?? null) : null,
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
  const raised: Raised[] = []
  for (const change of changes) {
    const { id, before, after, actor, silo_id, project_id, time } = change
    const had = new Set(assignmentsIn(before).map((one) => `${one.identity_id} ${one.role_name}`))
    const given = assignmentsIn(after).filter((one) => !had.has(`${one.identity_id} ${one.role_name}`))
    if (given.length === 0) continue
    const [place, giver] = await Promise.all([placeName(cx, change), giverName(cx, change)])
    const members = await membersOf(cx, given)
    for (const [user, role] of members)
      if (actor.kind !== 'silo_user' || actor.silo_user_id !== user)
        raised.push({
          ...aboutNothing,
          silo_user_id: user,
          key: `role:${id}`,
          kind: 'role',
          time,
          title: `You have the role ${role} on ${place}`,
          message: `${giver} gave it to you.`,
          next_step: null,
          ...(project_id && { object_kind: 'project', object_id: project_id, object_name: null }),
          silo_id,
          project_id,
        })
  }
  return raised
}

async function placeName(cx: Cx, { silo_id, project_id }: Seen): Promise<string> {
  if (silo_id === null) return 'the fleet'
  const table = project_id ? 'project' : 'silo'
  const row = await cx.db
    .selectFrom(table)
    .select('name')
    .where('id', '=', project_id ?? silo_id)
    .executeTakeFirst()
  return `${table} ${row?.name ?? ''}`
}

/** An operator of another silo is not named. */
async function giverName(cx: Cx, { actor, silo_id }: Seen): Promise<string> {
  if (actor.kind !== 'silo_user' || actor.silo_id !== silo_id) return 'An operator'
  const row = await cx.db
    .selectFrom('silo_user')
    .select('external_id')
    .where('id', '=', actor.silo_user_id)
    .executeTakeFirst()
  return row?.external_id ?? 'Someone'
}
