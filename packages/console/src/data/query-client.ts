import { QueryClient } from '@tanstack/react-query'
import { forgetEtag } from './queries.ts'
import { shareUnchanged } from './share.ts'

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
    if (type === 'removed') forgetEtag(query.queryHash)
  })
  return client
}
