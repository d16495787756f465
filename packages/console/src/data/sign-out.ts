import * as op from '@gantry/api/client/operations.gen'
import { client } from './client.ts'
import { type Failure, failureOf } from './failure.ts'

/**
 * Signs out, then loads the sign-in page anew, so that nothing of this person stays in memory. While the session may
 * still live, the page stays: whoever leaves the machine must not take themselves for signed out. Returns the failure.
 */
export async function signOut(): Promise<Failure | undefined> {
  const result = await client(op.logout, {})
  if (result.type !== 'success' && result.statusCode !== 401) return failureOf(op.logout, result)
  location.assign('/login')
  return undefined
}
