import { isUuid, nameProblem } from '@gantry/api/name.rules'
import { defaultPageSize, maxPageSize, nameOrIdSorts } from '@gantry/api/schema'
import { type RawBuilder, sql } from 'kysely'
import { type Listed, listedColumns } from '../db/listed.ts'
import type { Row } from '../db/tables.ts'
import type { Cx } from './cx.ts'
import { type KindName, kinds } from './kinds.ts'
import { need, type Selectors } from './need.ts'
import { unreadable } from './refusal.ts'
import { inSlices } from './slices.ts'

export interface ListQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
  [selector: string]: string | number | null | undefined
}

/** What a token carries: the scan it belongs to and the last key it gave. */
interface Marker extends Place {
  v: 1
  op: string
  sort: string
  selectors: Selectors
}

/** Where a row is in a list. */
interface Place {
  last: string
  /** Its id, where several may have its name. */
  last_id?: string
}

/** Which rows of the table a list is about. */
interface Source<Name extends KindName> {
  /** Columns that must be equal; null means "is null". */
  where: Partial<Row<Name>>
  /** A further condition on alias `t`. */
  and?: RawBuilder<unknown>
  /** Several of them may have the same name, so that only name and id together are a place in the list. */
  namesRepeat?: true
}

/**
 * One page by keyset. The token carries sort and selectors, so with a token nothing else counts but the limit;
 * `next_page` is given whenever there are items, also on the last page (control plane reference, A 4.2).
 */
export async function listPage<Name extends KindName, View>(
  cx: Cx,
  table: Name,
  query: ListQuery,
  source: (selectors: Selectors) => Promise<Source<Name>> | Source<Name>,
  view: (row: Listed<Name>) => View,
  /** `idOnly` where they have names, and the list goes by id all the same. */
  options: { idOnly?: true } = {},
): Promise<{ items: View[]; next_page: string | null }> {
  const { limit, page_token, sort_by, ...given } = query
  const op = cx.request.operation
  const marker = page_token ? decode(page_token, op) : undefined
  const selectors = marker?.selectors ?? (given as Selectors)
  const sort = marker?.sort ?? sort_by ?? 'default'
  const byName = kinds[table].names === 'unique' && !options.idOnly && sort !== 'id_ascending'
  const down = byName && sort === 'name_descending'
  if (marker && byName === isUuid(marker.last))
    throw unreadable('unable to parse query string: invalid page token')

  const { where, and, namesRepeat } = await source(selectors)
  const tied = byName && namesRepeat === true
  if (marker && tied !== (marker.last_id !== undefined))
    throw unreadable('unable to parse query string: invalid page token')
  const conditions = Object.entries(where).map(([column, value]) =>
    value === null ? sql`${sql.ref(`t.${column}`)} IS NULL` : sql`${sql.ref(`t.${column}`)} = ${value}`,
  )
  if (!kinds[table].hardDelete) conditions.push(sql`t.time_deleted IS NULL`)
  if (and) conditions.push(and)
  const key = sql.ref(`t.${byName ? 'name' : 'id'}`)
  const direction = sql.raw(down ? 'DESC' : 'ASC')
  type Found = Listed<Name> & { id: string; name?: string }
  /** What of a row says where it is in the list. */
  const placeOf = ({ id, name }: Found): Place => ({
    last: (byName ? name : id) ?? id,
    ...(tied ? { last_id: id } : {}),
  })
  const behind = ({ last, last_id }: Place): RawBuilder<unknown> => {
    const [place, given] = tied
      ? [sql`(${key}, t.id)`, sql`(${last}, ${last_id}::uuid)`]
      : [key, sql`${last}`]
    return down ? sql`${place} < ${given}` : sql`${place} > ${given}`
  }
  const order = tied ? sql`${key} ${direction}, t.id ${direction}` : sql`${key} ${direction}`
  const rows = await inSlices<Found>(pageLength(limit), async (after, count) => {
    const place = after ? placeOf(after) : marker
    const where = place ? [...conditions, behind(place)] : conditions
    const slice = await sql<Found>`
      SELECT ${listedColumns(table)} FROM ${sql.table(table)} t WHERE ${sql.join(where, sql` AND `)}
      ORDER BY ${order} LIMIT ${count}`.execute(cx.db)
    return slice.rows
  })
  const last = rows.at(-1)
  return {
    items: rows.map(view),
    next_page: last ? encodeToken({ v: 1, op, sort, selectors, ...placeOf(last) }) : null,
  }
}

/** The commonest list: everything of a kind in a project that the caller may list. */
export const listInProject = <Name extends InProject, View>(
  cx: Cx,
  table: Name,
  query: ListQuery,
  view: (row: Listed<Name>) => View,
): Promise<{ items: View[]; next_page: string | null }> =>
  listPage(
    cx,
    table,
    query,
    async (at) => {
      const { row } = await need(cx, 'project', at, 'list_children')
      return { where: { project_id: row.id } as Partial<Row<Name>> }
    },
    view,
  )

type InProject =
  | 'instance'
  | 'disk'
  | 'snapshot'
  | 'image_upload'
  | 'vpc'
  | 'affinity_group'
  | 'anti_affinity_group'

export function encodeToken(marker: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(marker))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

export const pageLength = (limit: number | null | undefined): number =>
  Math.min(limit ?? defaultPageSize, maxPageSize)

/** Whatever a token says; what of it can be believed is for the list to look at. */
export function decodeToken(token: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw unreadable('unable to parse query string: failed to parse pagination token: corrupted token')
  }
}

function decode(token: string, op: string): Marker {
  const marker = decodeToken(token)
  if (!isMarker(marker) || marker.op !== op)
    throw unreadable('unable to parse query string: invalid page token')
  return marker
}

const sorts = new Set(['default', ...nameOrIdSorts])
const isSelector = (value: unknown): value is string =>
  typeof value === 'string' && (isUuid(value) || !nameProblem(value))

/** A token comes from outside like everything else: it may say nothing that a query could not. */
function isMarker(value: unknown): value is Marker {
  const { v, sort, selectors, last, last_id } = (value ?? {}) as Partial<Marker>
  return (
    v === 1 &&
    typeof sort === 'string' &&
    sorts.has(sort) &&
    typeof selectors === 'object' &&
    selectors !== null &&
    Object.values(selectors).every(isSelector) &&
    isSelector(last) &&
    (last_id === undefined || (isSelector(last_id) && isUuid(last_id)))
  )
}
