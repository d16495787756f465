import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { Failure } from '../data/failure.ts'
import { session } from '../data/session.ts'
import { routeTree } from '../routeTree.gen.ts'

/** A query whose type of answer does not matter here. */
interface Prefetchable {
  queryKey: QueryKey
}

export interface RouterContext {
  queryClient: QueryClient
  /**
   * Reads what a page needs to be itself, in parallel, before the page is shown. A failure leads to the error
   * screen, a missing session to the sign-in page, which is none of this router's (src/sign-in).
   */
  prefetch: (...queries: Prefetchable[]) => Promise<void>
}

export function createConsoleRouter(queryClient: QueryClient) {
  async function prefetch(...queries: Prefetchable[]): Promise<void> {
    try {
      await Promise.all(queries.map((query) => queryClient.ensureQueryData(query as FetchQueryOptions)))
    } catch (error) {
      // A session that ends later is renewed in place and never gets here.
      const isSignedOut = error instanceof Failure && error.statusCode === 401 && !session.canBeRenewed()
      if (!isSignedOut) throw error
      const { loginPath } = await import('../data/redirect-uri.ts')
      location.replace(loginPath(router.latestLocation.href))
      return new Promise(() => undefined)
    }
  }

  const router = createRouter({
    routeTree,
    context: { queryClient, prefetch },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    // Page code and data load before the old page goes, however long it takes; the loading bar tells.
    defaultPendingMs: Number.POSITIVE_INFINITY,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
