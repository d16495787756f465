import type { ListSort } from '@gantry/api/base/list.rules'
import type { Operation } from '@gantry/api/op'
import { nameProblem } from '@gantry/api/base/name.rules'
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../db/like.ts'
import type { Listed } from '../db/listed.ts'
import type { Cx } from '../context/cx.ts'
import { type Key, keysetPage, textKey } from './keyset-page.ts'
import { momentOf, timeKey } from './time-key.ts'
import { need } from '../lookup/need.ts'

/** The query of such a list, without the state, whose values differ by kind. */
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

/** Tables that can be listed this way, with their state column. */
const stateColumn = { instance: 'run_state', disk: 'state', snapshot: 'state' } as const
type SortedTable = keyof typeof stateColumn

const keysOf = (table: SortedTable): Record<'name' | 'time_created' | 'state', Key> => ({
  name: textKey('name', (text) => !nameProblem(text)),
  time_created: timeKey('time_created'),
  state: textKey(stateColumn[table], (text) => /^[a-z_]{1,40}$/.test(text)),
})

/** One page of the objects in a project that match the filters. */
export const sortedPage = <Name extends SortedTable, View>(
  cx: Cx,
  op: Operation,
  table: Name,
  query: SortedQuery,
  view: (row: Listed<Name>) => View,
): Promise<{ items: View[]; next_page: string | null }> =>
  keysetPage(
    cx,
    op,
    table,
    query,
    {
      keys: keysOf(table),
      where: async (asked) => {
        const { row: project } = await need(cx, 'project', { project: asked.project }, 'list_children')
        return [sql`t.project_id = ${project.id}`, ...filters(table, asked)]
      },
    },
    view,
  )

function filters(table: SortedTable, asked: SortedQuery): RawBuilder<unknown>[] {
  const { name, state, created_after, created_before } = asked
  const conditions: RawBuilder<unknown>[] = []
  if (name) conditions.push(sql`t.name LIKE ${containing(name)}`)
  if (state && state.length > 0)
    conditions.push(sql`${sql.ref(`t.${stateColumn[table]}`)} IN (${sql.join(state)})`)
  if (created_after) conditions.push(sql`t.time_created >= ${momentOf(created_after)}`)
  if (created_before) conditions.push(sql`t.time_created < ${momentOf(created_before)}`)
  return conditions
}
