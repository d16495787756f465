import { isUuid, nameProblem } from '@gantry/api/base/name.rules'
import type { Operation } from '@gantry/api/op'
import { operationId, ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Listed } from '../db/listed.ts'
import type { Row } from '../db/tables.ts'
import type { Cx } from '../context/cx.ts'
import { type Key, keysetPage, textKey } from './keyset-page.ts'
import type { KindName, ProjectKind } from '../lookup/kinds.ts'
import { need, type Selectors } from '../lookup/need.ts'

export interface ListQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
  [selector: string]: string | number | null | undefined
}

/** Which rows of the table a list covers. */
interface Source<Name extends KindName> {
  /** Columns that must be equal; null means "is null". */
  where: Partial<Row<Name>>
  /** A further condition on alias `t`. */
  and?: RawBuilder<unknown>
}

export const idKey: Key = {
  column: 'id',
  text: (column) => sql<string>`${column}::text`,
  value: (text) => sql`${text}::uuid`,
  reads: isUuid,
  isUnique: true,
}
const nameKey = textKey('name', (text) => !isUuid(text) && !nameProblem(text))
/** By name or id, in a list whose names are unique. */
export const nameKeys = { id: idKey, name: { ...nameKey, isUnique: true } }
const byName = { id: idKey, name: nameKey }

const operations = new Map(
  Object.entries<Operation>(ops).map(([name, operation]) => [operationId(name), operation]),
)

/** One page by name or id, in the sort modes of the current operation. */
export function listPage<Name extends KindName, View>(
  cx: Cx,
  table: Name,
  query: ListQuery,
  source: (selectors: Selectors) => Promise<Source<Name>> | Source<Name>,
  view: (row: Listed<Name>) => View,
  /** Rows may share a name, so the position in the list is name and id together. */
  options: { namesRepeat?: true } = {},
): Promise<{ items: View[]; next_page: string | null }> {
  const operation = operations.get(cx.request.operation)
  if (!operation) throw new Error(`${cx.request.operation} is no operation of the contract`)
  const keys = options.namesRepeat ? byName : nameKeys
  const where = async (asked: ListQuery): Promise<RawBuilder<unknown>[]> => {
    const { where: equal, and } = await source(selectorsOf(asked))
    const conditions = Object.entries(equal).map(([column, value]) =>
      value === null ? sql`${sql.ref(`t.${column}`)} IS NULL` : sql`${sql.ref(`t.${column}`)} = ${value}`,
    )
    return and ? [...conditions, and] : conditions
  }
  return keysetPage(cx, operation, table, query, { keys, where }, view)
}

/** All parameters except those of paging; for these lists, they are names and ids. */
const selectorsOf = ({ limit: _limit, page_token: _token, sort_by: _sort, ...asked }: ListQuery): Selectors =>
  asked as Selectors

/** All objects of a kind. */
export const listAll = <Name extends KindName, View>(
  cx: Cx,
  table: Name,
  query: ListQuery,
  view: (row: Listed<Name>) => View,
) => listPage(cx, table, query, () => ({ where: {} }), view)

/** The most common list: all objects of a kind in a project that the caller may list. */
export const listInProject = <Name extends ProjectKind, View>(
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
