import { op } from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { opQuery } from './queries.ts'
import type { CurrentUser } from './session.ts'

/** Asked for on every navigation, and answered from memory for a minute. */
const freshMs = 60_000

export const currentUser = { ...opQuery(op.currentUserView, {}), staleTime: freshMs }

export function useCurrentUser(): CurrentUser {
  return useSuspenseQuery(currentUser).data
}

/** Signs out, then loads the sign-in page anew, so that nothing of this person stays in memory. */
export async function signOut(): Promise<void> {
  // Whether or not the server could be told, the person wants to leave.
  await client(op.logout, {})
  location.assign('/login')
}
