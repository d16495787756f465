import type { FilteredKind } from '@gantry/api/filter/list-kinds.rules'
import type { Operation } from '@gantry/api/op'
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../db/like.ts'
import type { Listed } from '../db/listed.ts'
import { plannedEachTime } from '../db/planned-each-time.js'
import type { Cx } from '../context/cx.ts'
import { filteredPage, type FilterQuery } from './filter/filtered-page.ts'
import { momentOf } from './time-key.ts'

/** The query of a list that could be filtered before filters were text, whose states differ by kind. */
interface SortedQuery extends FilterQuery {
  name?: string | null | undefined
  state?: readonly string[] | null | undefined
  created_after?: string | null | undefined
  created_before?: string | null | undefined
}

/** Kinds with these parameters, and their state column. */
const stateColumn = { instance: 'run_state', disk: 'state', snapshot: 'state' } as const
type SortedKind = keyof typeof stateColumn & FilteredKind

/** One page of the objects that match a filter and these parameters. */
export const sortedPage = <Name extends SortedKind, View>(
  cx: Cx,
  op: Operation,
  kind: Name,
  query: SortedQuery,
  view: (row: Listed<Name>) => View,
): Promise<{ items: View[]; next_page: string | null }> =>
  filteredPage<Name, SortedQuery, View>(cx, op, kind, query, view, (asked) => conditions(kind, asked))

function conditions(kind: SortedKind, asked: SortedQuery): RawBuilder<unknown>[] {
  const { name, state, created_after, created_before } = asked
  const all: RawBuilder<unknown>[] = []
  if (name) all.push(sql`${sql.raw(plannedEachTime)} t.name LIKE ${containing(name)}`)
  if (state && state.length > 0) all.push(sql`${sql.ref(`t.${stateColumn[kind]}`)} IN (${sql.join(state)})`)
  if (created_after) all.push(sql`t.time_created >= ${momentOf(created_after)}`)
  if (created_before) all.push(sql`t.time_created < ${momentOf(created_before)}`)
  return all
}
