import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { Failure } from '#/data/failure.ts'
import type { Loading, Prefetchable } from '#/data/loading.ts'
import { isOpenPage } from '#/data/open-pages.ts'
import { refusedJustNow } from '#/data/query-client.ts'
import { session } from '#/data/session.ts'
import { routeTree } from '#/routeTree.gen.ts'

export function createConsoleRouter(queryClient: QueryClient) {
  const waitFor =
    (read: (query: FetchQueryOptions) => Promise<unknown>) =>
    async (...queries: Prefetchable[]): Promise<void> => {
      try {
        await Promise.all(
          queries.map((query) => {
            const refused = refusedJustNow(queryClient, query.queryKey)
            return refused ? Promise.reject(refused) : read(query)
          }),
        )
      } catch (error) {
        // A session that expires later is renewed in place and does not reach this code.
        const isSignedOut = error instanceof Failure && error.statusCode === 401 && !session.canBeRenewed()
        // Another page is only preloaded while an open one stays.
        if (!isSignedOut || isOpenPage(router.latestLocation.pathname)) throw error
        const { loginPath } = await import('#/data/redirect-uri.ts')
        location.replace(loginPath(router.latestLocation.href))
        return new Promise(() => undefined)
      }
    }

  const context: Loading = {
    queryClient,
    prefetch: waitFor((query) => queryClient.ensureQueryData(query)),
    renew: waitFor((query) => queryClient.fetchQuery(query)),
    tryPrefetch: (query) => context.prefetch(query).catch(() => undefined),
    begin: (...queries) => queries.forEach((query) => void queryClient.prefetchQuery(query)),
  }
  // A document just opened is at its top. Scrolling it there would lay it out in the task that renders its rows.
  let isJustOpened = wasNavigatedTo()
  const router = createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    // Otherwise a page that the router still knows is shown before its loader has read anything again, and a form keeps
    // the values that it opens with.
    defaultStaleReloadMode: 'blocking',
    // The old page stays until code and data of the next have loaded, however long that takes; the loading bar shows
    // it.
    defaultPendingMs: Number.POSITIVE_INFINITY,
    // Another object of the same kind is another page: what was selected, typed or being edited belongs to the first.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: ({ location }) => !isJustOpened || location.hash !== '',
    scrollToTopSelectors: ['#content'],
  })
  // The router's own listener, which asks, was there first.
  router.subscribe('onRendered', () => void (isJustOpened = false))
  router.subscribe('onResolved', () => {
    for (const { abortController } of router.state.matches) freeFramesOf(abortController.signal)
  })
  return router
}

/** Whether this document was opened, rather than reloaded or returned to, when it has a position to restore. */
function wasNavigatedTo(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'navigate'
}

const freed = new WeakSet<AbortSignal>()

/**
 * A navigation aborts the signals of the one before. The reason of each keeps the functions that were running, these
 * keep their matches, and the matches keep the reasons of earlier signals: a chain that would grow all day. Reading the
 * stack of a reason leaves its text only.
 */
function freeFramesOf(signal: AbortSignal): void {
  if (freed.has(signal)) return
  freed.add(signal)
  signal.addEventListener('abort', () => void (signal.reason as Error | undefined)?.stack, { once: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
