import type { Operation } from '@gantry/api/op'
import { isUuid } from '@gantry/api/name.rules'
import { type RawBuilder, sql } from 'kysely'
import { type Listed, listedColumns } from '../db/listed.ts'
import type { Tables } from '../db/tables.ts'
import type { Cx } from './cx.ts'
import { decodeToken, encodeToken, pageLength } from './page.ts'
import { parseQuery } from './parse.ts'
import { Refusal, unreadable } from './refusal.ts'
import { inSlices } from './slices.ts'

interface Scan {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
}

/** What a token carries: the query it goes on with, and the last row that was given. */
interface Marker {
  v: 1
  op: string
  sort: string
  /** The query's other parameters, as they could stand in a URL. */
  selectors: Record<string, string>
  last: string
  id: string
}

/** Something to sort by: its column, its value as text, and the way back. */
export interface Key {
  column: string
  text: (column: RawBuilder<unknown>) => RawBuilder<string>
  value: (text: string) => RawBuilder<unknown>
  reads: (text: string) => boolean
}

/** A column of text, whatever may stand in it; U+0000 cannot in any. */
export const textKey = (column: string, reads: Key['reads']): Key => ({
  column,
  text: (value) => sql<string>`${value}`,
  value: (text) => sql`${text}`,
  reads: (text) => !text.includes('\0') && reads(text),
})

interface Source<Query> {
  /** By sort mode, which is one of these names with `_ascending` or `_descending` behind it. */
  keys: Readonly<Record<string, Key>>
  /** Whether the caller may ask that, and which rows of alias `t` it is about. */
  where: (asked: Query) => Promise<RawBuilder<unknown>[]>
}

/**
 * One page of the rows that the query is about, by key and id, so that equal keys neither skip nor repeat a row. As
 * with every list, a token says all but the limit; the first of the operation's sort modes is the default.
 */
export async function keysetPage<Name extends keyof Tables, Query extends Scan, View>(
  cx: Cx,
  op: Operation,
  table: Name,
  query: Query,
  { keys, where }: Source<Query>,
  view: (row: Listed<Name>) => View,
): Promise<{ items: View[]; next_page: string | null }> {
  const keyOf = (sort: string): Key | undefined => keys[sort.replace(/_(a|de)scending$/, '')]
  const marker = query.page_token ? readMarker(cx, op, keyOf, query.page_token) : undefined
  // Read by the operation's own schema, so it is such a query.
  const asked = marker ? (parseQuery(op, new URLSearchParams(marker.selectors)) as unknown as Query) : query
  const sort = marker?.sort ?? asked.sort_by ?? op.sorts?.[0] ?? ''
  const key = keyOf(sort)
  if (!key) throw new Error(`no key for the sort mode ${sort}`)
  const down = sort.endsWith('_descending')
  const column = sql.ref(`t.${key.column}`)

  const conditions = [sql`t.time_deleted IS NULL`, ...(await where(asked))]
  const order = sql.raw(down ? 'DESC' : 'ASC')
  const comparison = sql.raw(down ? '<' : '>')
  type Found = Listed<Name> & { id: string; '~key': string }
  const rows = await inSlices<Found>(pageLength(query.limit), async (after, count) => {
    const place = after ? { last: after['~key'], id: after.id } : marker
    const behind = place && sql`(${column}, t.id) ${comparison} (${key.value(place.last)}, ${place.id}::uuid)`
    const slice = await sql<Found>`
      SELECT ${listedColumns(table)}, ${key.text(column)} AS "~key" FROM ${sql.table(table)} t
      WHERE ${sql.join(behind ? [...conditions, behind] : conditions, sql` AND `)}
      ORDER BY ${column} ${order}, t.id ${order} LIMIT ${count}`.execute(cx.db)
    return slice.rows
  })
  const last = rows.at(-1)
  return {
    items: rows.map(view),
    next_page: last
      ? encodeToken({
          v: 1,
          op: cx.request.operation,
          sort,
          selectors: selectorsOf(asked),
          last: last['~key'],
          id: last.id,
        })
      : null,
  }
}

function selectorsOf({ limit: _limit, page_token: _token, sort_by: _sort, ...asked }: Scan) {
  const selectors: Record<string, string> = {}
  for (const [name, value] of Object.entries<string | readonly string[] | null | undefined>(asked))
    if (value !== null && value !== undefined)
      selectors[name] = typeof value === 'string' ? value : value.join(',')
  return selectors
}

/** A token comes from outside like everything else: it may say nothing that a query could not. */
function readMarker(cx: Cx, op: Operation, keyOf: (sort: string) => Key | undefined, token: string): Marker {
  const value = decodeToken(token)
  const { v, op: of, sort, selectors, last, id } = (value ?? {}) as Partial<Marker>
  const bad = unreadable('unable to parse query string: invalid page token')
  if (v !== 1 || of !== cx.request.operation || !sort || !op.sorts?.includes(sort)) throw bad
  if (typeof selectors !== 'object' || selectors === null || !isWords(selectors)) throw bad
  if (typeof last !== 'string' || !keyOf(sort)?.reads(last)) throw bad
  if (typeof id !== 'string' || !isUuid(id)) throw bad
  try {
    parseQuery(op, new URLSearchParams(selectors))
  } catch (error) {
    throw error instanceof Refusal ? bad : error
  }
  return { v, op: of, sort, selectors, last, id }
}

const isWords = (selectors: object): selectors is Record<string, string> =>
  Object.values(selectors).every((value) => typeof value === 'string')
