import type { Task, TaskDetail } from '@gantry/api/history/task'
import { isOpenTask, taskKeptDays, taskPage } from '@gantry/api/history/task.rules'
import type { QueryOf } from '@gantry/api/op'
import { isUuid } from '@gantry/api/base/name.rules'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { forbidden, invalid, notFound } from '../../context/refusal.ts'
import { daysAgo } from '../../db/retention.ts'
import { needed } from '../../authz/policy.ts'
import { relationPage } from '../../list/keyset-page.ts'
import { timeKey } from '../../list/time-key.ts'
import { kinds } from '../../lookup/kinds.ts'
import { locationOfChange, sees } from '../../lookup/location.ts'
import { need, needFleet } from '../../lookup/need.ts'
import { surroundingsOf } from '../history/around.ts'
import { large } from '../history/member.ts'
import { taskSources } from '../tasks.gen.ts'
import type { Begun } from './source.ts'
import { sourceOf, toldOf } from './told.ts'
import { tableOf } from '../../lookup/table-of.ts'

type Query = QueryOf<typeof ops.taskList>
type SystemQuery = QueryOf<typeof ops.systemTaskList>
type Page = Promise<{ items: Task[]; next_page: string | null }>
type Op = typeof ops.taskList | typeof ops.systemTaskList

const columns = sql<Begun>`t.id, t.kind, t.object_id, t.name, t.silo_id, t.project_id, t.actor, t.operation, t.time,
  t.generation, t.before - ${large}::text[] AS before, t.after - ${large}::text[] AS after, t.task`

const recordColumns = sql`c.id, c.kind, c.object_id, c.name, c.silo_id, c.project_id, c.actor, c.operation, c.time,
  c.generation, c.before, c.after, c.task`

const pending = sql.join(
  taskSources.map(({ kind, open }) => sql`SELECT ${sql.lit(kind)}::text AS task, id FROM (${open}) own`),
  sql` UNION ALL `,
)

/**
 * The changes that began tasks. Those of pending work are found by the objects that have it, so that they cost as much as
 * there is, however many tasks have ended. The others have indexes by user, project and silo, in order of time. A constant
 * `branch` lets the database drop one of them.
 */
const positions = sql`(
  SELECT 'all'::text AS branch, ${recordColumns}, (c.actor->>'silo_user_id')::uuid AS user_id FROM change c
  UNION ALL
  SELECT 'open'::text, ${recordColumns}, (c.actor->>'silo_user_id')::uuid FROM (${pending}) pending
  CROSS JOIN LATERAL (
    SELECT * FROM change last WHERE last.object_id = pending.id AND last.task IS NOT NULL AND last.task = pending.task
    ORDER BY last.time DESC, last.id DESC LIMIT 1) c)`

/** The work in which one object of a project takes part; some is of several projects. */
async function workWith(
  cx: Cx,
  { project, object, object_kind, state }: Query,
): Promise<RawBuilder<unknown> | undefined> {
  if (!object && !object_kind) return undefined
  if (!object || !object_kind || !project || state !== 'open')
    throw invalid(
      'the tasks of one object are found by its project, kind and name, while they are pending',
      'Send project, object_kind, object and state=open together.',
    )
  const table = tableOf(object_kind)
  const at = { ...(!isUuid(object) && { project }), [kinds[table].selector]: object }
  const { row } = await need(cx, table, at, 'read')
  const works = taskSources.map((source) => source.with?.(row.id) ?? sql`SELECT ${row.id}::uuid`)
  return sql`t.object_id IN (${sql.join(works, sql` UNION ALL `)})`
}

/** The caller's tasks, or those of a project or of the caller's silo. */
export const listTasks = (cx: Cx, query: Query): Page =>
  pageOf(cx, ops.taskList, query, async (asked) => {
    const { user_id, silo_id, projects } = cx.user()
    if (asked.project) {
      const { row } = await need(cx, 'project', { project: asked.project }, 'list_children')
      const ofObject = await workWith(cx, asked)
      return [ofObject ?? sql`t.project_id = ${row.id}`, ...(asked.mine ? [sql`t.user_id = ${user_id}`] : [])]
    }
    await workWith(cx, asked)
    if (asked.mine) return [sql`t.user_id = ${user_id}`]
    if (!cx.can('read', { class: 'silo', silo_id })) throw forbidden(needed('read', { class: 'silo' }))
    // Users without a role on the silo see the projects that they have roles on.
    const isWhole = sees(cx, 'project', { silo_id, project_id: null })
    return [sql`t.silo_id = ${silo_id}`, ...(isWhole ? [] : [sql`t.project_id = ANY (${projects}::uuid[])`])]
  })

/** The tasks of what belongs to no silo. */
export const listSystemTasks = (cx: Cx, query: SystemQuery): Page =>
  pageOf(cx, ops.systemTaskList, query, async () => {
    needFleet(cx, 'list_children')
    return [sql`t.silo_id IS NULL`]
  })

async function pageOf<Asked extends SystemQuery>(
  cx: Cx,
  op: Op,
  query: Asked,
  where: (asked: Asked) => Promise<RawBuilder<unknown>[]>,
): Page {
  const wanted: { state?: Asked['state'] } = {}
  const page = await relationPage(
    cx,
    op,
    { columns, from: positions },
    query,
    {
      keys: { time_and_id: timeKey('time') },
      maxLength: () => taskPage,
      where: async (asked) => {
        wanted.state = asked.state
        const kept = sql`t.time > ${daysAgo(cx.services, taskKeptDays)}`
        const branch = asked.state === 'open' ? [sql`t.branch = 'open'`] : [sql`t.branch = 'all'`, kept]
        const ofKind = asked.kind ? sql`t.task = ${asked.kind}` : sql`t.task IS NOT NULL`
        return [...branch, ofKind, ...(await where(asked))]
      },
    },
    (row) => row,
  )
  const items = await tasksOf(cx, page.items)
  return {
    // Which ones have ended is known once they are read, so a page of those may be shorter than asked for.
    items: items.filter(({ state }) => !wanted.state || isOpenTask(state) === (wanted.state === 'open')),
    next_page: page.next_page,
  }
}

/** A task that the caller may see, with the objects that failed. */
export async function viewTask(cx: Cx, id: string): Promise<TaskDetail> {
  cx.user()
  const { rows } =
    await sql<Begun>`SELECT ${columns} FROM change t WHERE t.id = ${id} AND t.task IS NOT NULL`.execute(cx.db)
  const [task] = await tasksOf(cx, rows)
  const [begun] = rows
  if (!task || !begun) throw notFound('task', { id })
  return { ...task, failures: (await sourceOf.get(begun.task)?.failures?.(cx, begun)) ?? [] }
}

/** Without those that the caller may not see now. */
async function tasksOf(cx: Cx, begun: readonly Begun[]): Promise<Task[]> {
  const seen = begun.filter((one) => cx.can('read', locationOfChange({ ...one, id: one.object_id })))
  const told = await toldOf(cx, seen)
  const { actorOf, placeOf } = await surroundingsOf(
    cx,
    seen.map((one) => ({ ...one, request_id: null })),
  )
  const me = cx.user().user_id
  return seen.flatMap((one) => {
    const own = told.get(one.id)
    if (!own) return []
    const { actor, kind, object_id, name } = one
    const { time_ended = null, ...rest } = own
    const by = actorOf({ ...one, request_id: null })
    return {
      id: one.id,
      kind: one.task,
      object: { kind, id: object_id, name },
      count: 1,
      ...placeOf({ ...one, request_id: null }),
      time_began: one.time.toISOString(),
      by: { kind: by.kind === 'user' ? 'user' : 'platform', id: by.id, name: by.name },
      is_mine: actor.kind === 'silo_user' && actor.silo_user_id === me,
      progress: null,
      step: null,
      failure: null,
      actions: [],
      ...rest,
      time_ended: time_ended?.toISOString() ?? null,
    } satisfies Task
  })
}
