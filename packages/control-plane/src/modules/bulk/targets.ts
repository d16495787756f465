import { canonicalUuid } from '@gantry/api/base/name.rules'
import type { BulkAction } from '@gantry/api/compute/instance-action.rules'
import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { type BulkDeletedKind, type FilteredKind, listKind } from '@gantry/api/filter/list-kinds.rules'
import { deletableOf } from '@gantry/api/history/bulk-deletion.rules'
import type { BulkTaggedKind } from '@gantry/api/tags/bulk-tagging'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid, notFound, refusedAs } from '@gantry/control-plane/context/refusal'
import type { Reader } from '@gantry/control-plane/db/database'
import { tableOf } from '@gantry/control-plane/list/filter/columns'
import { compileFilter } from '@gantry/control-plane/list/filter/compile'
import type { Place } from '@gantry/control-plane/list/filter/place'
import { boundedSearch, inPlace } from '@gantry/control-plane/list/filter/search-bounds'
import type { NewRow } from '@gantry/control-plane/db/tables'

export type Target = Omit<NewRow<'instance_action_item'>, 'action_id' | 'position'>

/** Reads in the change what was found before it, and refuses if that is more than the caller saw. */
type Targets = (db: Reader, atMost: number) => Promise<Target[]>

const most = bulkActionLimits.instances

/** Finds the instances of a place that match a filter and allow an action. */
export async function actionTargets(
  cx: Cx,
  place: Place,
  action: BulkAction,
  filter: string,
): Promise<Targets> {
  const { condition } = compileFilter(cx, 'instance', filter, place)
  const against = action === 'delete' ? 'no_delete' : action === 'stop' ? 'no_stop' : undefined
  const isFree = against ? sql`coalesce(t.protection ->> ${against}, 'false') <> 'true'` : sql`true`
  const matches = sql`${condition ?? sql`true`}
    AND t.run_state IN (${sql.join(instanceAllows[action])}) AND ${isFree}`
  return matching(cx, 'instance', place, matches, action)
}

/** Finds the objects of a kind that match a filter and can be deleted. */
export function deletionTargets(
  cx: Cx,
  kind: BulkDeletedKind,
  place: Place,
  filter: string,
): Promise<Targets> {
  // The filter of the caller is checked alone, so that a refusal names its places.
  compileFilter(cx, kind, filter, place)
  const { condition } = compileFilter(cx, kind, deletableOf(kind, filter), place)
  return matching(cx, kind, place, condition ?? sql`true`, 'be deleted')
}

/** Finds the objects of a kind that match a filter. */
export function taggingTargets(cx: Cx, kind: BulkTaggedKind, place: Place, filter: string): Promise<Targets> {
  const { condition } = compileFilter(cx, kind, filter, place)
  return matching(cx, kind, place, condition ?? sql`true`, 'get tags')
}

/**
 * The search is bounded and in its caller's turn, as that of a list, and so before the change: the change reads again only
 * what was found.
 */
async function matching(
  cx: Cx,
  kind: FilteredKind,
  place: Place,
  condition: RawBuilder<unknown>,
  deed: string,
): Promise<Targets> {
  const { table } = tableOf(kind)
  const matches = sql`${inPlace(kind, place)} AND ${condition}`
  const { rows: found } = await boundedSearch(cx, kind, place, () =>
    sql<{ id: string }>`SELECT t.id FROM ${sql.table(table)} t WHERE ${matches}
      ORDER BY t.name, t.id LIMIT ${most + 1}`.execute(cx.db),
  )
  const noun = listKind(kind).noun
  if (found.length > most)
    throw invalid(
      `more than ${most} ${noun}s match`,
      'Narrow the filter, and repeat the action for the rest.',
    )
  return async (db, atMost) => {
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT t.id, t.name FROM ${sql.table(table)} t
      WHERE t.id = ANY (${found.map(({ id }) => id)}::uuid[]) AND ${matches}
      ORDER BY t.name, t.id`.execute(db)
    if (rows.length > atMost)
      throw conflict(`${rows.length} ${noun}s match by now`, 'Review the list, then try again.')
    if (rows.length === 0)
      throw conflict(`no ${noun} that matches can ${deed} now`, 'Review the list, then try again.')
    return rows.map(({ id, name }) => ({ instance_id: id, name, state: 'pending', error: null }))
  }
}

/** The objects of a place with these ids, without duplicates; missing ones fail at once. */
export async function namedTargets(
  db: Reader,
  kind: BulkTaggedKind,
  place: Place,
  ids: readonly string[],
): Promise<Target[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT t.id, t.name FROM ${sql.table(tableOf(kind).table)} t
    WHERE t.id = ANY (${[...ids]}::uuid[]) AND ${inPlace(kind, place)}`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return [...new Set(ids)].map((id) => {
    const name = names.get(id)
    return name === undefined
      ? {
          instance_id: id,
          name: null,
          state: 'failed',
          error: JSON.stringify(refusedAs(notFound(listKind(kind).noun, { id }))),
        }
      : { instance_id: id, name, state: 'pending', error: null }
  })
}

interface Asked {
  objects?: readonly string[] | null | undefined
  filter?: string | null | undefined
  at_most?: number | null | undefined
}

/** What a request names, or what matches its filter: found before the change. */
export async function askedTargets(
  { objects, filter, at_most }: Asked,
  named: (db: Reader, objects: readonly string[]) => Promise<Target[]>,
  found: (filter: string) => Promise<Targets>,
): Promise<(db: Reader) => Promise<Target[]>> {
  if (objects) return (db) => named(db, objects)
  const matches = await found(filter ?? '')
  return (db) => matches(db, at_most ?? most)
}

/** Of one kind, named by id. */
export function askedObjects(
  kind: BulkTaggedKind,
  place: Place,
  asked: Asked,
  found: (filter: string) => Promise<Targets>,
): ReturnType<typeof askedTargets> {
  if (asked.objects ? typeof asked.filter === 'string' : typeof asked.filter !== 'string')
    throw invalid('either objects or a filter must be given', 'Name the objects by id, or send a filter.')
  return askedTargets(asked, (db, ids) => namedTargets(db, kind, place, ids.map(canonicalUuid)), found)
}
