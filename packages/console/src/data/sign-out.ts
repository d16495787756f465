import * as op from '@gantry/api/client/operations.gen'
import { client } from './client.ts'
import { type Failure, failureOf } from './failure.ts'

/**
 * Signs out, then reloads to the sign-in page, so that no data of this user stays in memory. If the session may still
 * be valid, the page stays, so that nobody leaves the machine believing they are signed out. Returns the failure.
 */
export async function signOut(): Promise<Failure | undefined> {
  const result = await client(op.logout, {})
  if (result.type !== 'success' && result.statusCode !== 401) return failureOf(op.logout, result)
  location.assign('/login')
  return undefined
}
