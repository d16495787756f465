import type { Preview } from '@gantry/preview/start'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { session } from '../data/session.ts'
import { visit } from './visit.ts'

/** Makes the page somebody else's without loading it anew, which would lose what was made in it. */
export const becomer =
  ({ become }: Preview, router: AnyRouter, queryClient: QueryClient) =>
  async (name: string): Promise<void> => {
    await become(name)
    await queryClient.cancelQueries()
    // Answers given to whoever was here before are not for this person.
    queryClient.clear()
    if (session.hasEnded()) session.renew()
    await router.invalidate()
    visit.begin()
  }
