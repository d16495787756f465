import type { BulkDeletion } from '@gantry/api/history/bulk-deletion'
import { bulkDeletedKinds, type BulkDeletedKind } from '@gantry/api/filter/list-kinds.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Row } from '@gantry/control-plane/db/tables'
import { placeOf } from '@gantry/control-plane/list/filter/place'
import { classInProject } from '@gantry/control-plane/lookup/location'
import { allow, need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { begin, failedOf, ownAction, ownActions, viewOfMany } from './service.ts'
import { askedObjects, deletionTargets } from './targets.ts'

type Create = Input<'bulkDeletionCreate'>

/** Deletes many objects of a kind: each by its own operation, with its rules and with the roles that the caller has then. */
export async function createBulkDeletion(cx: Cx, { query, body }: Create): Promise<BulkDeletion> {
  const { kind, for_good: is_for_good } = body
  const place = await placeOf(cx, query)
  const project = query.project ? await needProject(cx, query.project, kind) : undefined
  const targets = await askedObjects(kind, place, body, (filter) => deletionTargets(cx, kind, place, filter))
  const { row, items } = await begin(cx, {
    kind,
    action: 'delete',
    is_for_good,
    silo_id: cx.user().silo_id,
    project_id: project?.id ?? null,
    targets,
  })
  return view(row, items)
}

async function needProject(cx: Cx, project: string, kind: BulkDeletedKind): Promise<Row<'project'>> {
  const found = await need(cx, 'project', { project }, 'create_child')
  allow(cx, found, 'create_child', { as: classInProject(kind) })
  return found.row
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
  ...viewOfMany(row, items),
  kind: kindOf(row),
})

export const bulkDeletions = ownActions('others', view)
