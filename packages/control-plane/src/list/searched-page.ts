import type { Operation } from '@gantry/api/op'
import { maxPageSize } from '@gantry/api/schema'
import { type RawBuilder, sql } from 'kysely'
import { readRows } from '../authz/proven-reads.ts'
import type { Cx } from '../context/cx.ts'
import {
  type Key,
  pageLength,
  type Pager,
  pagerOf,
  type Place,
  type Relation,
  type Scan,
} from './keyset-page.ts'
import { roundBetween } from './time-key.ts'

/** A way to the rows that match: in the order of an index, of which a page examines a bounded part. */
export interface Way {
  /** Conditions on alias `t` that an index serves together with the order, so that each row costs the same. */
  led: readonly RawBuilder<unknown>[]
  /** Conditions that each examined row meets or not. */
  narrowed: readonly RawBuilder<unknown>[]
  /** Those of them by which callers may know that a row exists: only then do they learn that more were examined. */
  place?: readonly RawBuilder<unknown>[]
}

interface Source<Query> {
  /** Keys by sort mode, of times. */
  keys: Readonly<Record<string, Key>>
  /** Authorises the query, and returns ways to its rows, the last of which leads only to rows of its place. */
  ways: (asked: Query) => Promise<readonly Way[]>
  maxLength: number
  /** Rows that one page examines in each way at most. */
  examined: number
}

interface Searched<View> {
  items: View[]
  next_page: string | null
  /** The time up to which the page was searched (microseconds), unless it is full or everything was examined. */
  time_searched: number | null
}

/**
 * One page of rows by time that meet conditions without an index. However rare they are, a page examines a bounded
 * number of rows, then ends where it is, with a token for the rest: it can be short, or empty, and not the last.
 */
export async function searchedPage<Query extends Scan, View, Row extends object>(
  cx: Cx,
  op: Operation,
  relation: Relation<Row>,
  query: Query,
  { keys, ways, maxLength, examined }: Source<Query>,
  view: (row: Row) => View,
): Promise<Searched<View>> {
  const pager = pagerOf(cx, op, query, keys)
  const { isDescending } = pager
  const length = Math.min(pageLength(query.limit), maxLength, maxPageSize)
  const all = await ways(pager.asked)
  for (const [at, way] of all.entries()) {
    const statement = statementOf(relation, way, pager, { length, examined })
    const rows = await readRows(cx, statement, { order: pager.order('page'), always: '~key' })
    const matching = rows.filter((row) => row['~matches'])
    const last = rows.at(-1)
    const isCut = last !== undefined && last['~nth'] === examined && matching.length <= length
    if (isCut && !last['~known'] && at < all.length - 1) continue
    const [first] = rows
    const end =
      isCut && !last['~matches'] && first
        ? endBetween(Number(first['~key']), Number(last['~key']), last.id, isDescending)
        : undefined
    const items = (end ? matching.filter((row) => isBefore(row, end, isDescending)) : matching).slice(
      0,
      length,
    )
    const lastItem = items.at(-1)
    const place = end ?? (isCut ? pager.placeOf(last) : lastItem && pager.placeOf(lastItem))
    cx.request.has_next_page = isCut || matching.length > length
    return {
      items: items.map(view),
      next_page: place ? pager.token(place) : null,
      time_searched: isCut && place ? Number(place.last) : null,
    }
  }
  throw new Error('a search has a way')
}

function statementOf<Row, Query>(
  { columns, from }: Relation<Row>,
  { led, narrowed, place = [] }: Way,
  { key, order, after, start }: Pager<Query>,
  { length, examined }: { length: number; examined: number },
): RawBuilder<Row & Examined> {
  const conditions = start ? [...led, after(start)] : led
  const matches = met(narrowed)
  // The number of a row comes with it, without reading those behind: a page that fills soon examines few. The first and
  // the last row come even if they do not match, and one more match shows whether any follow.
  return sql<Row & Examined>`
    SELECT ${columns}, ${key.text(sql.ref(`t.${key.column}`))} AS "~key", t.nth AS "~nth",
      ${matches} AS "~matches", ${met(place)} AS "~known"
    FROM (SELECT t.*, row_number() OVER (ORDER BY ${order('t')}) AS nth FROM ${from} t
      WHERE ${sql.join(conditions, sql` AND `)} ORDER BY ${order('t')} LIMIT ${examined}) t
    WHERE ${matches} OR t.nth = 1 OR t.nth = ${examined}
    ORDER BY ${order('t')} LIMIT ${length + 2}`
}

interface Examined {
  id: string
  '~key': string
  /** Its number among the examined rows. */
  '~nth': number
  '~matches': boolean
  '~known': boolean
}

const met = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql`true` : sql`coalesce(${sql.join(conditions, sql` AND `)}, false)`

/** Before and after all ids of a time. */
const [lowest, highest] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/**
 * Where a search ends that found nothing at its last row: at a round time shortly before, which says nothing of rows
 * that the caller may not see.
 */
function endBetween(first: number, last: number, id: string, isDescending: boolean): Place {
  const round = roundBetween(first, last)
  return round === undefined
    ? { last: String(last), id }
    : { last: String(round), id: isDescending ? lowest : highest }
}

function isBefore({ '~key': key }: Examined, { last }: Place, isDescending: boolean): boolean {
  return isDescending ? Number(key) >= Number(last) : Number(key) <= Number(last)
}
