import { type FilteredKind, listKind } from '@gantry/api/filter/list-kinds.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { onceEach } from '../../context/once-each.ts'
import { invalid } from '../../context/refusal.ts'
import type { Services } from '../../context/services.ts'
import { FairQueue } from '../../work/fair-queue.ts'
import { tableOf } from './columns.ts'
import type { Place } from './place.ts'

/** Above this, a query waits for its turn, and costs its caller more than one request. */
const manyRows = 20_000
/** How long a place counts as having the size that it was found to have. */
const knownForMs = 30_000
const knownPlaces = 1000

interface Shared {
  sizes: Map<string, { size: number; at: number }>
  turns: FairQueue
}
const sharedOf = onceEach((_services: Services): Shared => ({
  sizes: new Map(),
  turns: new FairQueue({ atOnce: 3, atOnceEach: 2, waitingEach: 20, waiting: 200 }),
}))

/** The conditions on alias `t` that leave the objects of a kind in a place. */
export function inPlace(kind: FilteredKind, place: Place): RawBuilder<unknown> {
  const { orSilo, and, within } = tableOf(kind)
  const ofProjects = within?.(place) ?? place.within('t')
  const ofPlace =
    orSilo && place.silo_id
      ? sql`(t.project_id IS NULL AND t.silo_id = ${place.silo_id}::uuid OR ${ofProjects})`
      : ofProjects
  return and
    ? sql`t.time_deleted IS NULL AND ${and} AND ${ofPlace}`
    : sql`t.time_deleted IS NULL AND ${ofPlace}`
}

/** How many objects a place has, up to one more than may be examined. It is counted again after a while. */
async function sizeOf(cx: Cx, kind: FilteredKind, place: Place): Promise<number> {
  const { sizes } = sharedOf(cx.services)
  const { filter_examined_rows: most } = cx.services.settings.limits
  const key = `${kind} ${place.key}`
  const now = cx.now().getTime()
  const known = sizes.get(key)
  if (known && Math.abs(now - known.at) < knownForMs) return known.size
  const { rows } = await sql<{ size: number }>`
    SELECT count(*)::int4 AS size FROM (SELECT 1 FROM ${sql.table(tableOf(kind).table)} t
      WHERE ${inPlace(kind, place)} LIMIT ${most + 1}) counted`.execute(cx.db)
  const size = rows[0]?.size ?? 0
  if (sizes.size >= knownPlaces) sizes.clear()
  sizes.set(key, { size, at: now })
  return size
}

/** How many objects a search of a place examines in the worst case; refused where these are too many. */
export async function searchedRows(cx: Cx, kind: FilteredKind, place: Place): Promise<number> {
  const size = await sizeOf(cx, kind, place)
  const { filter_examined_rows: most } = cx.services.settings.limits
  if (size <= most) return size
  throw invalid(
    `more than ${most} objects would have to be searched`,
    place.isOneProject || listKind(kind).scope === 'silo'
      ? 'List them without a filter, or ask the operator to raise limits.filter_examined_rows.'
      : kind === 'fleet-instance'
        ? 'Open the list of one sled, or raise limits.filter_examined_rows.'
        : 'Search in one project: name it by the parameter project.',
  )
}

/**
 * Runs a search that examines all objects of a place in the worst case: refused where these are too many, and in its
 * caller's turn where they are many.
 */
export async function boundedSearch<Result>(
  cx: Cx,
  kind: FilteredKind,
  place: Place,
  search: (isLarge: boolean) => Promise<Result>,
): Promise<Result> {
  const size = await searchedRows(cx, kind, place)
  if (size <= manyRows) return search(false)
  cx.charge(Math.ceil(size / 100))
  const turn = await sharedOf(cx.services).turns.enterFor(cx)
  try {
    turn.spend(size / manyRows)
    return await search(true)
  } finally {
    turn.leave()
  }
}
