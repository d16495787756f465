import type { Operation } from '@gantry/api/op'
import { isUuid } from '@gantry/api/name.rules'
import { parseQuery } from './parse.ts'
import { Refusal, unreadable } from './refusal.ts'

/** What a page token carries: the query that it continues, and the place of the last row that was given. */
export interface Marker {
  v: 1
  op: string
  sort: string
  /** The query's other parameters, as a URL would hold them. */
  selectors: Record<string, string>
  last: string
  /** The row's id, where several rows may have the same key. */
  id?: string
}

/** How a marker's place is checked: which keys the sort mode has. */
interface Place {
  reads: (text: string) => boolean
  isUnique: boolean
}

export function encodeToken(marker: Marker): string {
  const bytes = new TextEncoder().encode(JSON.stringify(marker))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** A token comes from outside like everything else: it may say nothing that a query could not. */
export function readToken(
  token: string,
  op: Operation,
  operation: string,
  placeOf: (sort: string) => Place | undefined,
): Marker & { asked: Record<string, unknown> } {
  const { v, op: of, sort: given, selectors, last, id } = (decode(token) ?? {}) as Partial<Marker>
  // What lists by name gave before they named their sort mode.
  const sort = given === 'default' ? op.sorts?.[0] : given
  const bad = unreadable('unable to parse query string: invalid page token')
  if (v !== 1 || of !== operation || !sort || !op.sorts?.includes(sort)) throw bad
  if (typeof selectors !== 'object' || selectors === null || !isWords(selectors)) throw bad
  const place = placeOf(sort)
  if (!place || typeof last !== 'string' || !place.reads(last)) throw bad
  if (place.isUnique ? id !== undefined : typeof id !== 'string' || !isUuid(id)) throw bad
  try {
    const asked = parseQuery(op, new URLSearchParams(selectors))
    return { v, op: of, sort, selectors, last, ...(id !== undefined && { id }), asked }
  } catch (error) {
    throw error instanceof Refusal ? bad : error
  }
}

/** Names that the operation does not know are skipped by the parser, and are no way to bring in anything else. */
const isWords = (selectors: object): selectors is Record<string, string> =>
  Object.values(selectors).every((value) => typeof value === 'string' && !value.includes('\0'))

function decode(token: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw unreadable('unable to parse query string: failed to parse pagination token: corrupted token')
  }
}
