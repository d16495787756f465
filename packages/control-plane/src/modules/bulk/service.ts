import { listKind } from '@gantry/api/filter/list-kinds.rules'
import { sees } from '@gantry/control-plane/lookup/location'
import type { InstanceAction, InstanceActionCreate } from '@gantry/api/compute/instance-action'
import type { Refused } from '@gantry/api/extensions'
import { bulkActionLimits, type RunAction } from '@gantry/api/compute/instance-action.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Row, Tables } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reader } from '@gantry/control-plane/db/database'
import { placeOf } from '@gantry/control-plane/list/filter/place'
import { addressOf, need, type Selectors } from '@gantry/control-plane/lookup/need'
import { conflict, invalid, notFound, refusedAs } from '@gantry/control-plane/context/refusal'
import { cancelledCode } from './counts.ts'
import { actionTargets, askedTargets, namedTargets, type Target } from './targets.ts'
import { instanceAction } from './job.ts'
import { forgottenBefore } from './retention.ts'

type Action = Row<'instance_action'>
type Item = Row<'instance_action_item'>

/**
 * Acts on many instances, of a project or of all projects that the caller may see: on each with the roles that the caller
 * has there when its turn comes.
 */
export async function createAction(
  cx: Cx,
  at: Selectors,
  { action, instances: objects, filter, at_most }: InstanceActionCreate,
): Promise<InstanceAction> {
  const project = at.project ? (await need(cx, 'project', at, 'create_child')).row : undefined
  const place = await placeOf(cx, project ? { project: project.id } : {})
  if (objects ? typeof filter === 'string' : typeof filter !== 'string')
    throw invalid('either instances or a filter must be given', 'Name the instances, or send a filter.')
  if (!project && objects?.some((selector) => !isUuid(selector)))
    throw invalid(
      'instances of several projects must be named by id',
      'Send their ids, or name the project that they are in.',
    )
  const targets = await askedTargets(
    { objects, filter, at_most },
    (db, named) =>
      project
        ? findTargets(db, project.id, named)
        : namedTargets(db, 'instance', place, named.map(canonicalUuid)),
    (text) => actionTargets(cx, place, action, text),
  )
  const { row, items } = await begin(cx, {
    kind: 'instance',
    action,
    is_for_good: false,
    silo_id: cx.user().silo_id,
    project_id: project?.id ?? null,
    targets,
  })
  return actionView(row, items)
}

/** What a task of this kind begins with. */
export interface Begun extends Pick<Action, 'kind' | 'action' | 'is_for_good' | 'silo_id' | 'project_id'> {
  targets: (db: Reader) => Promise<Target[]>
  tagging?: Action['tagging']
  /** What is created, and with which tags. */
  creation?: Action['creation']
  created_tags?: Action['request']['created_tags']
}

/** Stores the action; a job performs it, so that no request waits and a crash loses nothing. */
export const begin = (
  cx: Cx,
  { targets, creation, tagging, created_tags, ...about }: Begun,
): Promise<{ row: Action; items: readonly Item[] }> =>
  change(cx, about, async (tx) => {
    if (about.project_id !== null) await tx.hold('project', about.project_id)
    const { id: requestId, uri, address, user_agent } = cx.request
    const { user_id, credential } = cx.user()
    // A user has a limit of unfinished batches, which many requests at once must not pass.
    if (creation) await tx.lockById('silo_user', user_id)
    const row = await tx.plain
      .insertInto('instance_action')
      .values({
        ...about,
        creation: creation ? JSON.stringify(creation) : null,
        tagging: tagging ? JSON.stringify(tagging) : null,
        id: cx.newId(),
        silo_user_id: user_id,
        request: JSON.stringify({ id: requestId, uri, address, user_agent, credential, created_tags }),
        time_created: cx.now(),
        time_completed: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const found = await targets(tx.read)
    const items = await tx.plain
      .insertInto('instance_action_item')
      .values(found.map((item, position) => ({ ...item, action_id: row.id, position })))
      .returningAll()
      .execute()
    await tx.job(instanceAction, { action_id: row.id })
    tx.note('instance-action', row.id, undefined, { action: about.action })
    return { row, items }
  })

/** Resolves names and ids to instances of the project, without duplicates; missing ones fail at once. */
async function findTargets(db: Reader, projectId: string, selectors: readonly string[]): Promise<Target[]> {
  const ids = selectors.filter(isUuid).map(canonicalUuid)
  const names = selectors.filter((selector) => !isUuid(selector))
  const rows = await db
    .selectFrom('instance')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('time_deleted', 'is', null)
    .where((eb) => eb.or([...some(eb, 'id', ids), ...some(eb, 'name', names)]))
    .execute()
  const known = new Map(rows.flatMap((row) => [[row.id, row] as const, [row.name, row] as const]))
  const items = new Map<string, Target>()
  for (const selector of selectors) {
    const key = isUuid(selector) ? canonicalUuid(selector) : selector
    const row = known.get(key)
    items.set(
      row?.id ?? key,
      row
        ? { instance_id: row.id, name: row.name, state: 'pending', error: null }
        : {
            instance_id: isUuid(selector) ? key : null,
            name: isUuid(selector) ? null : selector,
            state: 'failed',
            error: JSON.stringify(refusedAs(addressOf('instance', selector))),
          },
    )
  }
  return [...items.values()]
}

const some = (
  eb: ExpressionBuilder<Tables, 'instance'>,
  column: 'id' | 'name',
  values: readonly string[],
): Expression<SqlBool>[] => (values.length > 0 ? [eb(column, 'in', values)] : [])

/** The caller's own in a project, or without one those in several, newest first. */
export async function listActions(cx: Cx, at: Selectors): Promise<{ items: InstanceAction[] }> {
  const project = at.project ? (await need(cx, 'project', at, 'list_children')).row : undefined
  const rows = await remembered(cx)
    .where('project_id', project ? '=' : 'is', project?.id ?? null)
    .where('kind', '=', 'instance')
    .where('tagging', 'is', null)
    .orderBy('time_created', 'desc')
    .orderBy('id', 'desc')
    .limit(bulkActionLimits.listed)
    .execute()
  const items = await itemsOf(cx.db, rows)
  return { items: rows.map((row) => actionView(row, items.get(row.id) ?? [])) }
}

/** Visible only to their author, while the author may see the project. */
export const ownActions = <View>(
  of: Parameters<typeof ownAction>[2],
  viewOf: (row: Action, items: readonly Item[]) => View,
) => ({
  async view(cx: Cx, id: string): Promise<View> {
    const { row, items } = await ownAction(cx, id, of)
    return viewOf(row, items)
  },
  async cancel(cx: Cx, id: string): Promise<View> {
    const { row, items } = await cancel(cx, (await ownAction(cx, id, of)).row)
    return viewOf(row, items)
  },
})

/** What has begun ends; the rest is not begun any more. */
async function cancel(cx: Cx, row: Action): Promise<{ row: Action; items: readonly Item[] }> {
  const cancelled = await change(cx, row, async (tx) => {
    const now = cx.now()
    const updated = await tx.plain
      .updateTable('instance_action')
      .set({ time_cancelled: now })
      .where('id', '=', row.id)
      .where('time_completed', 'is', null)
      .where('time_cancelled', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!updated)
      throw conflict('the action is over or already cancelled', 'There is nothing left to cancel.')
    const error: Refused = { code: cancelledCode, message: 'Cancelled before its turn.', help: '' }
    await tx.plain
      .updateTable('instance_action_item')
      .set({ state: 'failed', error: JSON.stringify(error) })
      .where('action_id', '=', row.id)
      .where('state', '=', 'pending')
      .execute()
    tx.note('instance-action', row.id, undefined, { state: 'cancelled' })
    return updated
  })
  cx.services.wake.actions()
  return { row: cancelled, items: (await itemsOf(cx.db, [cancelled])).get(row.id) ?? [] }
}

/** A new action on the instances that failed, with the caller's current roles. */
export async function retryAction(cx: Cx, id: string): Promise<InstanceAction> {
  const { row, items } = await ownAction(cx, id, 'instance')
  // What was never created is created; what was created and did not start is started.
  const missing = row.creation && row.time_completed ? items.filter(isMissing) : []
  if (missing.length > 0) return repeatCreation(cx, row, missing)
  const instances = failedOf(row, items)
  const run = runOf(row)
  const action = run === 'create' ? 'start' : run
  return createAction(cx, { project: row.project_id ?? undefined }, { action, instances })
}

const isMissing = ({ state, instance_id }: Item): boolean => state === 'failed' && instance_id === null

async function repeatCreation(
  cx: Cx,
  { kind, project_id, creation, is_for_good, request: { created_tags } }: Action,
  missing: readonly Item[],
): Promise<InstanceAction> {
  const { row: project } = await need(cx, 'project', { project: project_id }, 'create_child')
  const { row, items } = await begin(cx, {
    kind,
    action: 'create',
    is_for_good,
    silo_id: project.silo_id,
    project_id: project.id,
    creation,
    created_tags,
    targets: async () =>
      missing.map(({ name }) => ({ instance_id: null, name, state: 'pending', error: null })),
  })
  return actionView(row, items)
}

/** The ids of those that failed. */
export function failedOf({ kind, time_completed }: Action, items: readonly Item[]): string[] {
  if (!time_completed) throw conflict('the action is not over yet', 'Wait until it is, or cancel it.')
  const failed = items.flatMap(({ state, instance_id }) =>
    state === 'failed' && instance_id !== null ? [instance_id] : [],
  )
  if (failed.length === 0)
    throw conflict(`no ${listKind(kind).noun} of the action failed`, 'There is nothing to repeat.')
  return failed
}

/** An action on instances, a deletion of others, or an edit of tags, of the caller. */
export async function ownAction(
  cx: Cx,
  id: string,
  of: 'instance' | 'others' | 'tags',
): Promise<{ row: Action; items: readonly Item[] }> {
  const row = await remembered(cx)
    .where('id', '=', canonicalUuid(id))
    .where('tagging', of === 'tags' ? 'is not' : 'is', null)
    .$if(of !== 'tags', (rows) => rows.where('kind', of === 'instance' ? '=' : '<>', 'instance'))
    .executeTakeFirst()
  if (!row || (row.project_id !== null && !sees(cx, 'project', row)))
    throw notFound('instance-action', { id })
  return { row, items: (await itemsOf(cx.db, [row])).get(row.id) ?? [] }
}

const remembered = (cx: Cx) =>
  cx.db
    .selectFrom('instance_action')
    .selectAll()
    .where('silo_user_id', '=', cx.user().user_id)
    .where((eb) =>
      eb.or([eb('time_completed', 'is', null), eb('time_completed', '>', forgottenBefore(cx.now()))]),
    )

async function itemsOf(db: Reader, actions: readonly Action[]): Promise<Map<string, Item[]>> {
  const byAction = new Map<string, Item[]>()
  if (actions.length === 0) return byAction
  const ids = actions.map(({ id }) => id)
  const rows = db.selectFrom('instance_action_item').selectAll().where('action_id', 'in', ids)
  for (const row of await rows.orderBy('position').execute()) {
    const items = byAction.get(row.action_id) ?? []
    byAction.set(row.action_id, items)
    items.push(row)
  }
  return byAction
}

/** Edits of tags have a view of their own. */
function runOf({ action }: Action): RunAction {
  if (action === 'tag') throw new Error('an edit of tags is no action on instances')
  return action
}

const taskView = (row: Action) => ({
  id: row.id,
  project_id: row.project_id,
  state: row.time_completed ? ('done' as const) : ('running' as const),
  time_created: row.time_created.toISOString(),
  time_completed: row.time_completed?.toISOString() ?? null,
})

export const actionView = (row: Action, items: readonly Item[]): InstanceAction => ({
  ...taskView(row),
  action: runOf(row),
  items: items.map(({ instance_id, name, state, error }) => ({
    instance: { id: instance_id, name },
    state,
    error,
  })),
})
export const instanceActions = ownActions('instance', actionView)

/** Of deletions and edits of tags, each of which is done with its transaction. */
export const viewOfMany = (row: Action, items: readonly Item[]) => ({
  ...taskView(row),
  items: items.map(({ instance_id, name, state, error }) => ({
    object: { id: instance_id ?? '', name },
    state: state === 'under_way' ? ('pending' as const) : state,
    error,
  })),
})
