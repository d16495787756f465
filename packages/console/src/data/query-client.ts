import { QueryClient } from '@tanstack/react-query'
import { shareUnchanged } from './share.ts'

/** An answer counts as fresh this long (specification, section 9). */
const freshMs = 2000

export const createQueryClient = (): QueryClient =>
  new QueryClient({
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
