import { canonicalUuid } from '@gantry/api/base/name.rules'
import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import type { BulkTagging } from '@gantry/api/tags/bulk-tagging'
import { tagsProblem } from '@gantry/api/tags/tag.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { placeOf } from '@gantry/control-plane/list/filter/place'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { begin, cancel, failedOf, ownAction } from './service.ts'
import { namedTargets, taggingTargets } from './targets.ts'

type Create = Input<'bulkTaggingCreate'>

/** Edits tags of many objects of a kind: each alone, with the roles that the caller has then. */
export async function createBulkTagging(cx: Cx, { query, body }: Create): Promise<BulkTagging> {
  const { kind, objects, filter, at_most, set, remove } = body
  const place = await placeOf(cx, query)
  const project = query.project
    ? (await need(cx, 'project', { project: query.project }, 'read')).row
    : undefined
  if (objects ? typeof filter === 'string' : typeof filter !== 'string')
    throw invalid('either objects or a filter must be given', 'Name the objects by id, or send a filter.')
  if (set.length + remove.length === 0)
    throw invalid('at least one tag must be set or removed', 'Name a tag to set, or a key to remove.')
  const both = set.find(({ key }) => remove.includes(key))
  if (both) throw invalid(`the key "${both.key}" is both set and removed`, 'Set it or remove it.')
  const problem = tagsProblem(set)
  if (problem) throw invalid(problem)
  const ids = objects?.map(canonicalUuid)
  const matching = ids ? undefined : await taggingTargets(cx, kind, place, filter ?? '')
  const { row, items } = await begin(cx, {
    kind,
    action: 'tag',
    is_for_good: false,
    silo_id: cx.user().silo_id,
    project_id: project?.id ?? null,
    tagging: { set, remove },
    targets: (db) =>
      matching
        ? matching(db, at_most ?? bulkActionLimits.instances)
        : namedTargets(db, kind, place, ids ?? []),
  })
  return view(row, items)
}

export async function viewBulkTagging(cx: Cx, id: string): Promise<BulkTagging> {
  const { row, items } = await ownAction(cx, id, 'tags')
  return view(row, items)
}

export async function cancelBulkTagging(cx: Cx, id: string): Promise<BulkTagging> {
  const { row, items } = await cancel(cx, (await ownAction(cx, id, 'tags')).row)
  return view(row, items)
}

/** A new one of the objects that it could not edit, with the caller's current roles. */
export async function retryBulkTagging(cx: Cx, id: string): Promise<BulkTagging> {
  const { row, items } = await ownAction(cx, id, 'tags')
  return createBulkTagging(cx, {
    path: {},
    query: { project: row.project_id },
    body: { kind: row.kind, objects: failedOf(row, items), ...taggingOf(row) },
  })
}

function taggingOf({ tagging }: Row<'instance_action'>): NonNullable<Row<'instance_action'>['tagging']> {
  if (!tagging) throw new Error('an edit of tags says which')
  return tagging
}

const view = (row: Row<'instance_action'>, items: readonly Row<'instance_action_item'>[]): BulkTagging => ({
  id: row.id,
  project_id: row.project_id,
  kind: row.kind,
  ...taggingOf(row),
  state: row.time_completed ? 'done' : 'running',
  items: items.map(({ instance_id, name, state, error }) => ({
    object: { id: instance_id ?? '', name },
    // An edit is done with its transaction.
    state: state === 'under_way' ? 'pending' : state,
    error,
  })),
  time_created: row.time_created.toISOString(),
  time_completed: row.time_completed?.toISOString() ?? null,
})
