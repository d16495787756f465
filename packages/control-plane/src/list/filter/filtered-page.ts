import { type FilteredKind, listKind } from '@gantry/api/filter/list-kinds.rules'
import type { Operation } from '@gantry/api/op'
import { maxPageSize } from '@gantry/api/schema'
import { type RawBuilder, sql } from 'kysely'
import { readRows } from '../../authz/proven-reads.ts'
import type { Cx } from '../../context/cx.ts'
import { type Listed, listedColumns } from '../../db/listed.ts'
import type { KindName } from '../../lookup/kinds.ts'
import { type Key, pageLength, pagerOf, type Scan } from '../keyset-page.ts'
import { inSlices } from '../row-batches.ts'
import { tableOf } from './columns.ts'
import { compileFilter } from './compile.ts'
import { type Asked, placeOf } from './place.ts'
import { boundedSearch, inPlace } from './search-bounds.ts'

export interface FilterQuery extends Scan, Asked {
  filter?: string | null | undefined
}

/** Sort keys of a kind, by the names of its sort modes. */
const keysOf = (kind: FilteredKind): Record<string, Key> => {
  const keys: Record<string, Key> = {}
  for (const { key } of Object.values(tableOf(kind).columns)) if (key) keys[sortNameOf(key)] = key
  return keys
}
/** State columns have names of their own. */
const sortNameOf = ({ column }: Key): string => (column === 'run_state' ? 'state' : column)

/** The first objects of a large project, among which a filter that many match fills a page. */
const firstObjects = 1000

/** Above this many projects, each is not searched in the order of the list. */
const orderedProjects = 500

/** One page of the objects of a kind that match a filter; `more` are further conditions on alias `t`. */
export async function filteredPage<Name extends KindName, Query extends FilterQuery, View>(
  cx: Cx,
  op: Operation,
  kind: FilteredKind,
  query: Query,
  view: (row: Listed<Name>) => View,
  more: (asked: Query) => readonly RawBuilder<unknown>[] = () => [],
): Promise<{ items: View[]; next_page: string | null }> {
  // A token carries the filter, and its own order.
  const keys = keysOf(kind)
  const named = pagerOf(cx, op, query, keys)
  const { asked } = named
  const place = await placeOf(cx, asked, kind)
  const { condition, isRelated, sort } = compileFilter(cx, kind, asked.filter, place)
  // What the request names goes before what its filter does.
  const pager =
    query.page_token || query.sort_by || !sort ? named : pagerOf(cx, op, { ...query, sort_by: sort }, keys)
  const conditions = [...(condition ? [condition] : []), ...more(asked)]
  const table = tableOf(kind).table as Name
  const { key, order, after, start, placeOf: positionOf, token } = pager
  type Found = Listed<Name> & { id: string; '~key': string }
  const columns = sql`${listedColumns(table)}, ${key.text(sql.ref(`t.${key.column}`))} AS "~key"`
  const length = Math.min(pageLength(query.limit), maxPageSize)

  // Kinds that are found in projects or in VPCs of projects.
  const isOfProjects = !tableOf(kind).within || listKind(kind).scope === 'vpc'
  const search = async (isLarge: boolean) => {
    const isOrdered =
      isLarge &&
      isOfProjects &&
      !place.isOneProject &&
      (await projectsIn(cx, place.projects)) <= orderedProjects
    return inSlices<Found>(length, async (previous, count) => {
      const position = previous ? positionOf(previous) : start
      const matching = sql.join(
        [...conditions, ...(position ? [after(position)] : [])].map((each) => sql` AND ${each}`),
        sql``,
      )
      const statementOf = (table: RawBuilder<unknown>, isInPlace: RawBuilder<unknown>) =>
        sql<Found>`SELECT ${columns} FROM ${table} t WHERE ${isInPlace} ${matching} ORDER BY ${order('t')} LIMIT ${count}`
      const read = (statement: RawBuilder<Found>) =>
        readRows<Found>(cx, statement, { order: order('page'), always: '~key' })
      // What nearly all share would be looked up and sorted whole.
      if (isLarge && place.isOneProject && isRelated) {
        const begin = position ? sql` AND ${after(position)}` : sql``
        const first = sql`(SELECT * FROM ${sql.table(table)} t WHERE ${inPlace(kind, place)}${begin}
          ORDER BY ${order('t')} LIMIT ${firstObjects})`
        const found = await read(statementOf(first, sql`true`))
        if (found.length === count) return found
      }
      // Many objects are not all sorted: each project yields its first ones, from an index in that order.
      const statement = isOrdered
        ? sql<Found>`SELECT ${columns} FROM project p CROSS JOIN LATERAL (SELECT t.* FROM ${sql.table(table)} t
            WHERE ${inPlace(kind, { ...place, within: ofOne })} ${matching} ORDER BY ${order('t')} LIMIT ${count}) t
            WHERE ${place.projects} ORDER BY ${order('t')} LIMIT ${count}`
        : statementOf(sql.table(table), inPlace(kind, place))
      return read(statement)
    })
  }
  // A project's own list comes in the order of an index, however long it is, and so do those of a VPC and of a silo.
  const hasIndex =
    listKind(kind).scope === 'silo' ||
    (place.isOneProject && (!tableOf(kind).within || place.vpc_id !== undefined))
  const { rows, hasMore } =
    hasIndex && conditions.length === 0 ? await search(false) : await boundedSearch(cx, kind, place, search)
  cx.request.has_next_page = hasMore
  const last = rows.at(-1)
  return { items: rows.map(view), next_page: last ? token(positionOf(last)) : null }
}

const ofOne = (alias: string): RawBuilder<unknown> => sql`${sql.ref(`${alias}.project_id`)} = p.id`

async function projectsIn(cx: Cx, projects: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int4 AS count FROM (SELECT FROM project p WHERE ${projects} LIMIT ${orderedProjects + 1}) few`.execute(
    cx.db,
  )
  return rows[0]?.count ?? 0
}
