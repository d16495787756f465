import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** A query whose type of answer does not matter here. */
export interface Prefetchable {
  queryKey: QueryKey
}

/** How the loader of a route reads, all queries in parallel. */
export interface Loading {
  queryClient: QueryClient
  /**
   * Reads what a page needs to be itself before the page is shown. A failure leads to the error screen, a missing session
   * to the sign-in page, which is none of the router's (src/sign-in).
   */
  prefetch: (...queries: Prefetchable[]) => Promise<void>
  /** Begins to read what the page can wait for. A failure shows where the answer is used. */
  begin: (...queries: Prefetchable[]) => void
}
