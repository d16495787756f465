import type { Operation } from '@gantry/api/op'
import { defaultPageSize, maxPageSize } from '@gantry/api/schema'
import { type RawBuilder, sql } from 'kysely'
import { readRows } from '../authz/proven-reads.ts'
import { type Listed, listedColumns } from '../db/listed.ts'
import type { Cx } from '../context/cx.ts'
import { type KindName, kinds } from '../lookup/kinds.ts'
import { encodeToken, readToken } from './page-token.ts'
import { inSlices } from './row-batches.ts'

export interface Scan {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
}

/** A sort key: its column, its value as text, and the parser for that text. */
export interface Key {
  column: string
  text: (column: RawBuilder<unknown>) => RawBuilder<string>
  value: (text: string) => RawBuilder<unknown>
  reads: (text: string) => boolean
  /** Values are unique in the list, so the key alone identifies a position. */
  isUnique: boolean
}

/** A text column with arbitrary values; no text can contain U+0000. */
export const textKey = (column: string, reads: Key['reads']): Key => ({
  column,
  text: (value) => sql<string>`${value}`,
  value: (text) => sql`${text}`,
  reads: (text) => !text.includes('\0') && reads(text),
  isUnique: false,
})

interface Source<Query> {
  /** Keys by sort mode: the name without `_ascending` or `_descending`. */
  keys: Readonly<Record<string, Key>>
  /** Authorises the query, and returns the conditions on alias `t`. */
  where: (asked: Query) => Promise<RawBuilder<unknown>[]>
  /** Maximum rows of a page, where its rows are larger than usual. */
  maxLength?: (asked: Query) => number
}

/** The source of rows: the columns selected from alias `t`, and the table behind it. */
export interface Relation<Row> {
  columns: RawBuilder<Row>
  from: RawBuilder<unknown>
}

/** One page of the objects of a kind that exist. */
export const keysetPage = <Name extends KindName, Query extends Scan, View>(
  cx: Cx,
  op: Operation,
  table: Name,
  query: Query,
  source: Source<Query>,
  view: (row: Listed<Name>) => View,
): Promise<{ items: View[]; next_page: string | null }> =>
  relationPage(
    cx,
    op,
    { columns: listedColumns(table) as RawBuilder<Listed<Name>>, from: sql.table(table) },
    query,
    kinds[table].hardDelete
      ? source
      : {
          ...source,
          where: async (asked) => [sql`t.time_deleted IS NULL`, ...(await source.where(asked))],
        },
    view,
  )

/** A place in a list: the key of a row, with its id where keys repeat. */
export interface Place {
  last: string
  id?: string
}

/** How a query's list is ordered, and where its page begins. */
export interface Pager<Query> {
  /** The query, or the one that its token continues. */
  asked: Query
  key: Key
  isDescending: boolean
  start: Place | undefined
  /** The condition on alias `t` that leaves what follows a place. */
  after: (place: Place) => RawBuilder<unknown>
  order: (alias: string) => RawBuilder<unknown>
  placeOf: (row: { id: string; '~key': string }) => Place
  /** The token of what follows a place; it carries everything except the limit. */
  token: (place: Place) => string
}

/** The default order is the operation's first sort mode. */
export function pagerOf<Query extends Scan>(
  cx: Cx,
  op: Operation,
  query: Query,
  keys: Source<Query>['keys'],
): Pager<Query> {
  const { operation } = cx.request
  const keyOf = (sort: string): Key | undefined => keys[sort.replace(/_(a|de)scending$/, '')]
  const marker = query.page_token ? readToken(query.page_token, op, operation, keyOf) : undefined
  // The operation's own schema has parsed it, so the type holds.
  const asked = marker ? (marker.asked as unknown as Query) : query
  const sort = marker?.sort ?? asked.sort_by ?? op.sorts?.[0] ?? ''
  const key = keyOf(sort)
  if (!key) throw new Error(`no key for the sort mode ${sort}`)
  const column = sql.ref(`t.${key.column}`)
  const isDescending = sort.endsWith('_descending')
  const direction = sql.raw(isDescending ? 'DESC' : 'ASC')
  const comparison = sql.raw(isDescending ? '<' : '>')
  return {
    asked,
    key,
    isDescending,
    start: marker,
    after: ({ last, id }) =>
      key.isUnique
        ? sql`${column} ${comparison} ${key.value(last)}`
        : sql`(${column}, t.id) ${comparison} (${key.value(last)}, ${id}::uuid)`,
    order: (alias) => {
      const columns = key.isUnique ? [key.column] : [key.column, 'id']
      return sql.join(columns.map((name) => sql`${sql.ref(`${alias}.${name}`)} ${direction}`))
    },
    placeOf: (row) => ({ last: row['~key'], ...(!key.isUnique && { id: row.id }) }),
    token: ({ last, id }) =>
      encodeToken({ v: 1, op: operation, sort, selectors: selectorsOf(asked), last, ...(id && { id }) }),
  }
}

/**
 * One page of the matching rows by key, with the id as tiebreaker where keys repeat, so that no row is
 * skipped or repeated. `next_page` is set whenever there are items, even on the last page (control plane
 * reference, A 4.2).
 */
export async function relationPage<Query extends Scan, View, Row extends object>(
  cx: Cx,
  op: Operation,
  { columns, from }: Relation<Row>,
  query: Query,
  { keys, where, maxLength }: Source<Query>,
  view: (row: Row) => View,
): Promise<{ items: View[]; next_page: string | null }> {
  const { asked, key, start, after, order, placeOf, token } = pagerOf(cx, op, query, keys)
  const conditions = await where(asked)
  const length = Math.min(pageLength(query.limit), maxLength?.(asked) ?? maxPageSize)
  type Found = Row & { id: string; '~key': string }
  const { rows, hasMore } = await inSlices<Found>(length, async (previous, count) => {
    const place = previous ? placeOf(previous) : start
    const all = place ? [...conditions, after(place)] : conditions
    return readRows<Found>(
      cx,
      sql<Found>`
      SELECT ${columns}, ${key.text(sql.ref(`t.${key.column}`))} AS "~key" FROM ${from} t
      ${all.length > 0 ? sql`WHERE ${sql.join(all, sql` AND `)}` : sql``}
      ORDER BY ${order('t')} LIMIT ${count}`,
      { order: order('page'), always: '~key' },
    )
  })
  cx.request.has_next_page = hasMore
  const last = rows.at(-1)
  return { items: rows.map(view), next_page: last ? token(placeOf(last)) : null }
}

export const pageLength = (limit: number | null | undefined): number =>
  Math.min(limit ?? defaultPageSize, maxPageSize)

/** The parameters that a token carries, as URL text. */
export function selectorsOf({ limit: _limit, page_token: _token, sort_by: _sort, ...asked }: Scan) {
  const selectors: Record<string, string> = {}
  for (const [name, value] of Object.entries<string | boolean | readonly string[] | null | undefined>(asked))
    if (value !== null && value !== undefined)
      selectors[name] = typeof value === 'object' ? value.join(',') : String(value)
  return selectors
}
