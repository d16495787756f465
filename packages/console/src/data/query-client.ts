import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { Failure } from './failure.ts'
import { forgetHeaders } from './queries.ts'

/** Age up to which an answer counts as fresh (specification, section 9). */
const freshMs = 2000

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // In a private network, browsers often report "offline" although the server is reachable.
      queries: {
        staleTime: freshMs,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        structuralSharing: shareUnchanged,
      },
    },
  })
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed') forgetHeaders(query.queryHash)
  })
  return client
}

/**
 * A refusal for a missing role is fresh for as long as an answer: hovering over a link reads its page ahead, and the
 * click would ask again.
 */
export function refusedJustNow(client: QueryClient, key: QueryKey): Failure | undefined {
  const { status, error, errorUpdatedAt } = client.getQueryState(key) ?? {}
  if (status !== 'error' || !(error instanceof Failure) || error.statusCode !== 403) return undefined
  return Date.now() - (errorUpdatedAt ?? 0) < freshMs ? error : undefined
}

/**
 * Keeps every unchanged part of the old answer, so that rows keep their identity over a refresh and do not render
 * again. TanStack Query's structural sharing stops at dates, and every row here has some.
 */
export function shareUnchanged(before: unknown, after: unknown): unknown {
  if (before === after) return before
  if (before instanceof Date && after instanceof Date)
    return before.getTime() === after.getTime() ? before : after
  if (Array.isArray(before) && Array.isArray(after)) {
    const shared = after.map((item: unknown, index) => shareUnchanged(before[index], item))
    const isSame = shared.length === before.length && shared.every((item, index) => item === before[index])
    return isSame ? before : shared
  }
  if (!isRecord(before) || !isRecord(after)) return after
  const keys = Object.keys(after)
  const shared = Object.fromEntries(keys.map((key) => [key, shareUnchanged(before[key], after[key])]))
  const isSame =
    keys.length === Object.keys(before).length &&
    keys.every((key) => key in before && shared[key] === before[key])
  return isSame ? before : shared
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
