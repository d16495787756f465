import type { InputOf, LooseInput, OpRef, OutputOf } from '@gantry/api/client/client'
import { isUuid } from '@gantry/api/base/name.rules'
import type { OpName } from '@gantry/api/registry'
import {
  hashKey,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  type QueryMeta,
  queryOptions,
} from '@tanstack/react-query'
import { type Answer, call } from './client.ts'
import { asFailure, type Failure } from './failure.ts'
import { callOr, type Fallback } from './fallback.ts'
import { listId, pageSizeOf } from './list-preferences.ts'

/** Operations that return a page of rows. */
export type ListName = {
  [Name in OpName]: OutputOf<Name> extends { items: readonly unknown[]; nextPage?: string | null }
    ? Name
    : never
}[OpName]
export type ItemOf<Name extends ListName> = OutputOf<Name>['items'][number]

/**
 * What headers say of an answer, by the hash of the query that read it: the version an edit form opened with, and
 * whether rows follow those of a page.
 */
const headersOf = new Map<string, Pick<Answer<OpName>, 'etag' | 'hasNextPage'>>()
export const etagOf = (key: QueryKey): string | undefined => headersOf.get(hashKey(key))?.etag
/** Undefined where the server does not tell, or before the answer. */
export const hasNextPage = (key: QueryKey): boolean | undefined => headersOf.get(hashKey(key))?.hasNextPage
/** The cache has dropped the answer, and a console open for weeks would collect many. */
export const forgetHeaders = (queryHash: string): void => void headersOf.delete(queryHash)

const queryKey = (op: Pick<OpRef, 'name'>, input: unknown): [OpName, unknown] => [op.name, input]

/** Metadata the change stream needs about a query. */
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Partial<OpRef>
  }
}

export const metaOf = ({ reads }: Pick<OpRef, 'reads'>): QueryMeta => (reads ? { reads } : {})

/**
 * An operator's stream covers the fleet, but not the projects of other silos. Queries that include those are polled
 * at this interval, in milliseconds, while on screen.
 */
const acrossSilosMs = 10_000
const intervalOf = ({ path }: Pick<OpRef, 'path'>): number | false =>
  /^\/(ext\/)?v1\/system\//.test(path) && acrossSilosMs

/**
 * For what rows show later. They show no failure of it, and no button that repeats it: so it is read again after 1, 2 and 4
 * seconds, unless the server refused.
 */
export const readAgain = {
  retry: (failures: number, { statusCode }: Failure): boolean =>
    failures < 3 && (statusCode === 0 || statusCode === 429 || statusCode >= 500),
}

/** The query of one operation, for `useSuspenseQuery`, `useQuery` and a route's `prefetch`. */
export function opQuery<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  fallback?: Fallback<Name>,
) {
  const key = queryKey(op, input)
  return queryOptions<OutputOf<Name>, Failure, OutputOf<Name>, [OpName, unknown]>({
    queryKey: key,
    // With method and path, for those who show the request.
    meta: { ...op },
    refetchInterval: intervalOf(op),
    queryFn: async ({ signal }) => {
      const { data, ...headers } = await callOr(op, input, { signal }, fallback)
      headersOf.set(hashKey(key), headers)
      return data
    },
  })
}

/** A paginated list: `at(token)` gives the query of one page, and old rows stay on screen while it loads. */
export interface ListQuery<Name extends ListName> {
  op: OpRef<Name>
  /** The user's page size, which can change. */
  readonly limit: number
  at: (pageToken?: string) => ReturnType<typeof opQuery<Name>>
}

export function listQuery<Name extends ListName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  {
    fallback,
    limit,
  }: { fallback?: Fallback<Name>; /** Unless the user's page size applies. */ limit?: number } = {},
): ListQuery<Name> {
  const { query, ...rest } = input as LooseInput
  const id = listId(op)
  return {
    op,
    get limit() {
      return limit ?? pageSizeOf(id)
    },
    at: (pageToken) => {
      const paged = {
        ...rest,
        query: { ...query, limit: limit ?? pageSizeOf(id), ...(pageToken && { pageToken }) },
      }
      const page = opQuery(op, paged as unknown as InputOf<Name>, fallback)
      return { ...page, placeholderData: keepPreviousData }
    },
  }
}

/**
 * A page of the base API's list, whose operation takes the same paths and paging. `fill` adds what its rows lack; a
 * feature whose rows may still lack something says so in their type.
 */
export const rowsOf =
  <Rich extends ListName, Base extends ListName>(
    op: OpRef<Base>,
    fill: (row: ItemOf<Base>) => Partial<ItemOf<Rich>>,
  ): Fallback<Rich> =>
  async (input, options) => {
    const { data, ...headers } = await call(op, withoutFilter(input) as InputOf<Base>, options)
    const page = data as { items: ItemOf<Base>[] }
    return { data: { ...page, items: page.items.map(fill) } as OutputOf<Rich>, ...headers }
  }

/** The base API neither filters lists nor sorts them by more than names. */
function withoutFilter(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('query' in input)) return input
  const { filter: _filter, sortBy: _sortBy, ...query } = input.query as Record<string, unknown>
  return { ...input, query }
}

/** All rows of a list, for pickers and counts. */
export function allQuery<Name extends ListName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  fallback?: Fallback<Name>,
) {
  const { query, ...rest } = input as LooseInput
  return queryOptions<ItemOf<Name>[], Failure, ItemOf<Name>[], [OpName, unknown]>({
    queryKey: [op.name, { ...rest, query, everything: true }],
    meta: metaOf(op),
    refetchInterval: intervalOf(op),
    queryFn: ({ signal }) => readAll(op, input, signal, fallback),
  })
}

/** The same, and null where the caller may not list, which differs from an empty list. */
export function offeredQuery<Name extends ListName>(op: OpRef<Name>, input: InputOf<Name>) {
  return queryOptions<ItemOf<Name>[] | null, Failure, ItemOf<Name>[] | null, [OpName, unknown]>({
    queryKey: allQuery(op, input).queryKey,
    meta: metaOf(op),
    refetchInterval: intervalOf(op),
    queryFn: ({ signal }) => readAll(op, input, signal).catch(nullIfForbidden),
  })
}

function nullIfForbidden(error: unknown): null {
  if (asFailure(error).statusCode === 403) return null
  throw error
}

/** Fetches pages sequentially, because each token comes from the page before. */
export async function readAll<Name extends ListName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  signal: AbortSignal,
  fallback?: Fallback<Name>,
): Promise<ItemOf<Name>[]> {
  const { query, ...rest } = input as LooseInput
  const items: ItemOf<Name>[] = []
  let pageToken: string | null | undefined
  do {
    const paged = { ...rest, query: { ...query, limit: pickerPageSize, ...(pageToken && { pageToken }) } }
    const { data } = await callOr(op, paged as unknown as InputOf<Name>, { signal }, fallback)
    const page = data as { items: ItemOf<Name>[]; nextPage?: string | null }
    items.push(...page.items)
    pageToken = page.items.length < pickerPageSize ? undefined : page.nextPage
  } while (pageToken)
  return items
}

/** Page limit of pickers (rulings). */
const pickerPageSize = 1000

/** Whether an answer contains any of these kinds. */
export const containsKind = ({ reads = [] }: QueryMeta, kinds: ReadonlySet<string>): boolean =>
  reads.some((kind) => kinds.has(kind))

/** Marks answers that contain these kinds as stale. Those on screen are read again at once, the rest on next use. */
export function invalidateKinds(queryClient: QueryClient, kinds: Iterable<string>): Promise<void> {
  const kindSet = new Set(kinds)
  return queryClient.invalidateQueries({ predicate: ({ meta = {} }) => containsKind(meta, kindSet) })
}

/**
 * Reads answers again that a change made stale, except those of a deleted or renamed object: its old address would
 * answer 404.
 */
export function readAfter<Name extends OpName>(
  queryClient: QueryClient,
  op: OpRef<Name>,
  input?: InputOf<Name>,
): Promise<void> {
  const changed = new Set(op.changes)
  const gone = removedPath(op, input as LooseInput | undefined)
  return queryClient.invalidateQueries({
    predicate: ({ meta = {}, queryKey: [, about] }) =>
      containsKind(meta, changed) && !(gone && liesIn(about as LooseInput | undefined, gone)),
  })
}

/** The path of an object that no longer exists under this name, because it was deleted or renamed. */
function removedPath(op: OpRef, input: LooseInput | undefined): LooseInput['path'] {
  if (!op.path.endsWith('}') || !input?.path) return undefined
  if (op.method === 'DELETE') return input.path
  const { name } = (input.body ?? {}) as { name?: string }
  const address = Object.values(input.path).at(-1)
  const isRenamed = op.method === 'PUT' && name !== undefined && name !== address
  return isRenamed && !isUuid(String(address)) ? input.path : undefined
}

/** Whether a request concerns the object a path names, or its contents. */
function liesIn(about: LooseInput | undefined, named: NonNullable<LooseInput['path']>): boolean {
  const path = about?.path ?? {}
  return Object.entries(named).every(([key, value]) => path[key] === value)
}

/** Marks all queries of these operations as stale. */
export function invalidateOps(queryClient: QueryClient, ops: Iterable<Pick<OpRef, 'name'>>): Promise<void> {
  const names = new Set<unknown>([...ops].map(({ name }) => name))
  return queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => names.has(name) })
}
