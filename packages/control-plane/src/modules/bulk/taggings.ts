import type { BulkTagging } from '@gantry/api/tags/bulk-tagging'
import { tagsProblem } from '@gantry/api/tags/tag.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { placeOf } from '@gantry/control-plane/list/filter/place'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { begin, failedOf, ownAction, ownActions, viewOfMany } from './service.ts'
import { askedObjects, taggingTargets } from './targets.ts'

type Create = Input<'bulkTaggingCreate'>

/** Edits tags of many objects of a kind: each alone, with the roles that the caller has then. */
export async function createBulkTagging(cx: Cx, { query, body }: Create): Promise<BulkTagging> {
  const { kind, set, remove } = body
  const place = await placeOf(cx, query)
  const project = query.project
    ? (await need(cx, 'project', { project: query.project }, 'read')).row
    : undefined
  if (set.length + remove.length === 0)
    throw invalid('at least one tag must be set or removed', 'Name a tag to set, or a key to remove.')
  const both = set.find(({ key }) => remove.includes(key))
  if (both) throw invalid(`the key "${both.key}" is both set and removed`, 'Set it or remove it.')
  const problem = tagsProblem(set)
  if (problem) throw invalid(problem)
  const targets = await askedObjects(kind, place, body, (filter) => taggingTargets(cx, kind, place, filter))
  const { row, items } = await begin(cx, {
    kind,
    action: 'tag',
    is_for_good: false,
    silo_id: cx.user().silo_id,
    project_id: project?.id ?? null,
    tagging: { set, remove },
    targets,
  })
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
  ...viewOfMany(row, items),
  kind: row.kind,
  ...taggingOf(row),
})

export const bulkTaggings = ownActions('tags', view)
