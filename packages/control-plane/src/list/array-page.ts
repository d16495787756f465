import type { Operation } from '@gantry/api/op'
import type { Cx } from '../context/cx.ts'
import { pageLength, type Scan, selectorsOf } from './keyset-page.ts'
import { encodeToken, readToken } from './page-token.ts'

interface Source<Query, Item> {
  /** Every item that the query asks for, in the order of the list. */
  items: (asked: Query) => readonly Item[]
  /** Identifies an item. */
  keyOf: (item: Item) => string
  isKey: (text: string) => boolean
}

/** Lists that are in memory have an order of their own. */
const sort = 'ascending'

/** One page of a list that is in memory as a whole. */
export function arrayPage<Query extends Scan, Item>(
  cx: Cx,
  op: Operation,
  query: Query,
  { items, keyOf, isKey }: Source<Query, Item>,
): { items: Item[]; next_page: string | null } {
  const { operation } = cx.request
  const position = { reads: isKey, isUnique: true }
  const marker = query.page_token
    ? readToken(query.page_token, { ...op, sorts: [sort] }, operation, () => position)
    : undefined
  // The operation's own schema has parsed it, so the type holds.
  const asked = marker ? (marker.asked as unknown as Query) : query
  const all = items(asked)
  const start = marker ? all.findIndex((item) => keyOf(item) === marker.last) + 1 : 0
  const page = all.slice(start, start + pageLength(query.limit))
  cx.request.has_next_page = start + page.length < all.length
  const last = page.at(-1)
  return {
    items: page,
    next_page: last
      ? encodeToken({ v: 1, op: operation, sort, selectors: selectorsOf(asked), last: keyOf(last) })
      : null,
  }
}
