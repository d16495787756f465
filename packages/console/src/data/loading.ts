import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** A query whose answer type does not matter here. */
export interface Prefetchable {
  queryKey: QueryKey
}

/** How a route's loader reads its queries, all in parallel. */
export interface Loading {
  queryClient: QueryClient
  /**
   * Reads the data that must be there before the page is shown. A failure leads to the error screen, a missing
   * session to the sign-in page, which is outside the router (src/sign-in).
   */
  prefetch: (...queries: Prefetchable[]) => Promise<void>
  /**
   * Like `prefetch` for a form, which keeps the values that it opens with: they are read again unless just read.
   */
  renew: (...queries: Prefetchable[]) => Promise<void>
  /**
   * Like `prefetch` for data that the page can do without, such as what servers may lack: it would otherwise move the
   * page when it comes. A failure shows where the answer is used.
   */
  tryPrefetch: (query: Prefetchable) => Promise<void>
  /** Starts reads that the page does not wait for. A failure shows where the answer is used. */
  begin: (...queries: Prefetchable[]) => void
}
