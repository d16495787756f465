import { defaultPageSize, maxPageSize } from '@gantry/api/schema'
import { type RawBuilder, sql } from 'kysely'
import type { Row, Tables } from '../db/tables.ts'
import type { Cx } from './cx.ts'
import type { Selectors } from './need.ts'
import { unreadable } from './refusal.ts'

export interface ListQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
  [selector: string]: string | number | null | undefined
}

/** What a token carries: the scan it belongs to and the last key it gave. */
interface Marker {
  v: 1
  op: string
  sort: string
  selectors: Selectors
  last: string
}

/** Which rows of the table a list is about. */
interface Source<Name extends keyof Tables> {
  /** Columns that must be equal; null means "is null". */
  where: Partial<Row<Name>>
  /** A further condition on alias `t`. */
  and?: RawBuilder<unknown>
}

/**
 * One page by keyset. The token carries sort and selectors, so with a token nothing else counts but the limit;
 * `next_page` is given whenever there are items, also on the last page (control plane reference, A 4.2).
 */
export async function listPage<Name extends keyof Tables, View>(
  cx: Cx,
  table: Name,
  query: ListQuery,
  source: (selectors: Selectors) => Promise<Source<Name>> | Source<Name>,
  view: (row: Row<Name>) => View,
): Promise<{ items: View[]; next_page: string | null }> {
  const { limit, page_token, sort_by, ...given } = query
  const op = cx.request.operation
  const marker = page_token ? decode(page_token, op) : undefined
  const selectors = marker?.selectors ?? (given as Selectors)
  const sort = marker?.sort ?? sort_by ?? 'default'
  const { where, and } = await source(selectors)

  const byName =
    sort === 'name_ascending' ||
    sort === 'name_descending' ||
    (sort === 'default' && 'name' in sortable(table))
  const key = sql.ref(`t.${byName ? 'name' : 'id'}`)
  const down = sort === 'name_descending'
  const conditions = Object.entries(where).map(([column, value]) =>
    value === null ? sql`${sql.ref(`t.${column}`)} IS NULL` : sql`${sql.ref(`t.${column}`)} = ${value}`,
  )
  conditions.push(sql`t.time_deleted IS NULL`)
  if (and) conditions.push(and)
  if (marker) conditions.push(down ? sql`${key} < ${marker.last}` : sql`${key} > ${marker.last}`)
  const rows = await sql<Row<Name> & { id: string; name?: string }>`
    SELECT t.* FROM ${sql.table(table)} t WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${key} ${sql.raw(down ? 'DESC' : 'ASC')} LIMIT ${Math.min(limit ?? defaultPageSize, maxPageSize)}`.execute(
    cx.db,
  )
  const last = rows.rows.at(-1)
  return {
    items: rows.rows.map(view),
    next_page: last
      ? encode({ v: 1, op, sort, selectors, last: (byName ? last.name : last.id) ?? last.id })
      : null,
  }
}

/** Tables without names are listed by id only. */
const nameless = new Set<keyof Tables>(['silo_user', 'silo_group', 'sled'])
const sortable = (table: keyof Tables): { id: true; name?: true } =>
  nameless.has(table) ? { id: true } : { id: true, name: true }

function encode(marker: Marker): string {
  const bytes = new TextEncoder().encode(JSON.stringify(marker))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

function decode(token: string, op: string): Marker {
  let marker: Partial<Marker>
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    marker = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Partial<Marker>
  } catch {
    throw unreadable('unable to parse query string: failed to parse pagination token: corrupted token')
  }
  const { v, sort, selectors, last } = marker ?? {}
  const whole =
    v === 1 && typeof sort === 'string' && typeof last === 'string' && typeof selectors === 'object'
  if (!whole || marker.op !== op) throw unreadable('unable to parse query string: invalid page token')
  return marker as Marker
}
