import type { ListSort } from '@gantry/api/list.rules'
import type { Operation } from '@gantry/api/op'
import { isUuid, nameProblem } from '@gantry/api/name.rules'
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../db/like.ts'
import type { Row } from '../db/tables.ts'
import type { Cx } from './cx.ts'
import { need } from './need.ts'
import { decodeToken, encodeToken, pageLength } from './page.ts'
import { parseQuery } from './parse.ts'
import { Refusal, unreadable } from './refusal.ts'

/** What the query of such a list says, besides the state, which each kind has its own words for. */
interface SortedQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  project?: string | null | undefined
  sort_by?: ListSort | null | undefined
  name?: string | null | undefined
  state?: readonly string[] | null | undefined
  created_after?: string | null | undefined
  created_before?: string | null | undefined
}

/** Tables that can be listed so, with the column that holds the state. */
const stateColumn = { instance: 'run_state', disk: 'state', snapshot: 'state' } as const
type SortedTable = keyof typeof stateColumn

/** What a token carries: the query it goes on with, and the last row that was given. */
interface Marker {
  v: 1
  op: string
  sort: ListSort
  /** The query's other parameters, as they could stand in a URL. */
  selectors: Record<string, string>
  last: string
  id: string
}

/** Something to sort by: its column, its value as text, and the way back. */
interface Key {
  column: string
  text: (column: RawBuilder<unknown>) => RawBuilder<string>
  value: (text: string) => RawBuilder<unknown>
  reads: (text: string) => boolean
}

const asItIs = {
  text: (column: RawBuilder<unknown>) => sql<string>`${column}`,
  value: (text: string) => sql`${text}`,
}

/** Microseconds, as exactly as the database keeps them; a `Date` would cut them off and skip rows. */
const moment = (micros: string): RawBuilder<unknown> =>
  sql`(to_timestamp(0) + ${micros}::int8 * interval '1 microsecond')`

const keysOf = (table: SortedTable): Record<'name' | 'time_created' | 'state', Key> => ({
  name: { column: 'name', ...asItIs, reads: (text) => !nameProblem(text) },
  time_created: {
    column: 'time_created',
    text: (column) => sql<string>`(extract(epoch FROM ${column}) * 1000000)::int8::text`,
    value: moment,
    reads: (text) => /^\d{1,16}$/.test(text),
  },
  state: { column: stateColumn[table], ...asItIs, reads: (text) => /^[a-z_]{1,40}$/.test(text) },
})

/**
 * One page of everything in a project that the filters let through, by key and id, so that equal keys neither
 * skip nor repeat a row. As with every list, a token says all but the limit.
 */
export async function sortedPage<Name extends SortedTable, View>(
  cx: Cx,
  op: Operation,
  table: Name,
  query: SortedQuery,
  view: (row: Row<Name>) => View,
): Promise<{ items: View[]; next_page: string | null }> {
  const marker = query.page_token ? readMarker(cx, op, table, query.page_token) : undefined
  const asked: SortedQuery = marker ? parseQuery(op, new URLSearchParams(marker.selectors)) : query
  const sort = marker?.sort ?? asked.sort_by ?? 'name_ascending'
  const down = sort.endsWith('_descending')
  const key = keyOf(table, sort)
  const column = sql.ref(`t.${key.column}`)

  const { row: project } = await need(cx, 'project', { project: asked.project }, 'list_children')
  const conditions = [
    sql`t.project_id = ${project.id}`,
    sql`t.time_deleted IS NULL`,
    ...filters(table, asked),
  ]
  if (marker)
    conditions.push(
      sql`(${column}, t.id) ${sql.raw(down ? '<' : '>')} (${key.value(marker.last)}, ${marker.id}::uuid)`,
    )
  const order = sql.raw(down ? 'DESC' : 'ASC')
  const { rows } = await sql<Row<Name> & { id: string; '~key': string }>`
    SELECT t.*, ${key.text(column)} AS "~key" FROM ${sql.table(table)} t WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${column} ${order}, t.id ${order} LIMIT ${pageLength(query.limit)}`.execute(cx.db)
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

const keyOf = (table: SortedTable, sort: ListSort): Key =>
  keysOf(table)[sort.replace(/_(a|de)scending$/, '') as 'name' | 'time_created' | 'state']

function filters(table: SortedTable, asked: SortedQuery): RawBuilder<unknown>[] {
  const { name, state, created_after, created_before } = asked
  const conditions: RawBuilder<unknown>[] = []
  if (name) conditions.push(sql`t.name LIKE ${containing(name)}`)
  if (state && state.length > 0)
    conditions.push(sql`${sql.ref(`t.${stateColumn[table]}`)} IN (${sql.join(state)})`)
  if (created_after) conditions.push(sql`t.time_created >= ${moment(micros(created_after))}`)
  if (created_before) conditions.push(sql`t.time_created < ${moment(micros(created_before))}`)
  return conditions
}

const micros = (iso: string): string => String(Date.parse(iso) * 1000)

function selectorsOf({ limit: _limit, page_token: _token, sort_by: _sort, ...asked }: SortedQuery) {
  const selectors: Record<string, string> = {}
  for (const [name, value] of Object.entries(asked))
    if (value !== null && value !== undefined)
      selectors[name] = typeof value === 'string' ? value : value.join(',')
  return selectors
}

/** A token comes from outside like everything else: it may say nothing that a query could not. */
function readMarker(cx: Cx, op: Operation, table: SortedTable, token: string): Marker {
  const value = decodeToken(token)
  const { v, op: of, sort, selectors, last, id } = (value ?? {}) as Partial<Marker>
  const bad = unreadable('unable to parse query string: invalid page token')
  if (v !== 1 || of !== cx.request.operation || !sort || !op.sorts?.includes(sort)) throw bad
  if (typeof selectors !== 'object' || selectors === null || !isWords(selectors)) throw bad
  if (typeof last !== 'string' || !keyOf(table, sort).reads(last)) throw bad
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
