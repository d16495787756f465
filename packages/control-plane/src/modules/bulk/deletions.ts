import type { BulkDeletion } from '@gantry/api/history/bulk-deletion'
import { bulkDeletedKinds, type BulkDeletedKind } from '@gantry/api/history/bulk-deletion.rules'
import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { placeOf } from '@gantry/control-plane/list/filter/place'
import { classInProject } from '@gantry/control-plane/lookup/location'
import { allow, need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { begin, cancel, failedOf, ownAction } from './service.ts'
import { deletionTargets, namedTargets } from './targets.ts'

type Create = Input<'bulkDeletionCreate'>

/** Deletes many objects of a kind: each by its own operation, with its rules and with the roles that the caller has then. */
export async function createBulkDeletion(cx: Cx, { query, body }: Create): Promise<BulkDeletion> {
  const { kind, objects, filter, at_most, for_good: is_for_good } = body
  const place = await placeOf(cx, query)
  const project = query.project ? await needProject(cx, query.project, kind) : undefined
  if (objects ? typeof filter === 'string' : typeof filter !== 'string')
    throw invalid('either objects or a filter must be given', 'Name the objects by id, or send a filter.')
  const ids = objects?.map(canonicalUuid)
  const matching = ids ? undefined : await deletionTargets(cx, kind, place, filter ?? '')
  const { row, items } = await begin(cx, {
    kind,
    action: 'delete',
    is_for_good,
    silo_id: cx.user().silo_id,
    project_id: project?.id ?? null,
    targets: (db) =>
      matching
        ? matching(db, at_most ?? bulkActionLimits.instances)
        : namedTargets(db, kind, place, ids ?? []),
  })
  return view(row, items)
}

async function needProject(cx: Cx, project: string, kind: BulkDeletedKind): Promise<Row<'project'>> {
  const found = await need(cx, 'project', { project }, 'create_child')
  allow(cx, found, 'create_child', { as: classInProject(kind) })
  return found.row
}

export async function viewBulkDeletion(cx: Cx, id: string): Promise<BulkDeletion> {
  const { row, items } = await ownAction(cx, id, 'others')
  return view(row, items)
}

export async function cancelBulkDeletion(cx: Cx, id: string): Promise<BulkDeletion> {
  const { row, items } = await cancel(cx, (await ownAction(cx, id, 'others')).row)
  return view(row, items)
}

/** A new one of the objects that it could not delete, with the caller's current roles. */
export async function retryBulkDeletion(cx: Cx, id: string): Promise<BulkDeletion> {
  const { row, items } = await ownAction(cx, id, 'others')
  return createBulkDeletion(cx, {
    path: {},
    query: { project: row.project_id },
    body: { kind: kindOf(row), objects: failedOf(row, items), for_good: row.is_for_good },
  })
}

function kindOf({ kind }: Row<'instance_action'>): BulkDeletedKind {
  const found = bulkDeletedKinds.find((each) => each === kind)
  if (!found) throw new Error(`no deletion of many is of kind ${kind}`)
  return found
}

const view = (row: Row<'instance_action'>, items: readonly Row<'instance_action_item'>[]): BulkDeletion => ({
  id: row.id,
  project_id: row.project_id,
  kind: kindOf(row),
  state: row.time_completed ? 'done' : 'running',
  items: items.map(({ instance_id, name, state, error }) => ({
    object: { id: instance_id ?? '', name },
    // A deletion is done with its transaction.
    state: state === 'under_way' ? 'pending' : state,
    error,
  })),
  time_created: row.time_created.toISOString(),
  time_completed: row.time_completed?.toISOString() ?? null,
})
