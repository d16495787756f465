import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { opQuery } from './queries.ts'
import type { CurrentUser } from './session.ts'

/** Every navigation needs the current user; the cache answers for a minute. */
const freshMs = 60_000

export const currentUser = { ...opQuery(op.currentUserView, {}), staleTime: freshMs }

export function useCurrentUser(): CurrentUser {
  return useSuspenseQuery(currentUser).data
}
