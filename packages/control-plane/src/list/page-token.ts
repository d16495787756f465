import type { Operation } from '@gantry/api/op'
import { isUuid } from '@gantry/api/base/name.rules'
import { parseQuery } from '../parse/parse.ts'
import { Refusal, unreadable } from '../context/refusal.ts'

/** The contents of a page token: the query that it continues, and the position of the last row sent. */
export interface Marker {
  v: 1
  op: string
  sort: string
  /** The query's other parameters, as URL text. */
  selectors: Record<string, string>
  last: string
  /** The row's id, when several rows may share the key. */
  id?: string
}

/** Validates a marker's position: which keys the sort mode has. */
interface SortPosition {
  reads: (text: string) => boolean
  isUnique: boolean
}

export function encodeToken(marker: Marker): string {
  const bytes = new TextEncoder().encode(JSON.stringify(marker))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** A token is untrusted input: it may express nothing that a query could not. */
export function readToken(
  token: string,
  op: Operation,
  operation: string,
  positionOf: (sort: string) => SortPosition | undefined,
): Marker & { asked: Record<string, unknown> } {
  const { v, op: of, sort: given, selectors, last, id } = (decode(token) ?? {}) as Partial<Marker>
  // Old tokens of lists by name carry no sort mode.
  const sort = given === 'default' ? op.sorts?.[0] : given
  if (v !== 1 || of !== operation || !sort || !op.sorts?.includes(sort)) throw invalidToken()
  if (typeof selectors !== 'object' || selectors === null || !isWords(selectors)) throw invalidToken()
  const position = positionOf(sort)
  if (!position || typeof last !== 'string' || !position.reads(last)) throw invalidToken()
  if (position.isUnique ? id !== undefined : typeof id !== 'string' || !isUuid(id)) throw invalidToken()
  try {
    const asked = parseQuery(op, new URLSearchParams(selectors))
    return { v, op: of, sort, selectors, last, ...(id !== undefined && { id }), asked }
  } catch (error) {
    throw error instanceof Refusal ? invalidToken() : error
  }
}

const invalidToken = (): Refusal => unreadable('unable to parse query string: invalid page token')

/** Unknown names are ignored by the parser, so they cannot smuggle anything in. */
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
