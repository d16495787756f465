import { QueryClient } from '@tanstack/react-query'
import { forgetEtag } from './queries.ts'
import { shareUnchanged } from './share.ts'

/** An answer counts as fresh this long (specification, section 9). */
const freshMs = 2000

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // A console in a private network is often "offline" to the browser and reaches its server all the same.
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
    if (type === 'removed') forgetEtag(query.queryHash)
  })
  return client
}
