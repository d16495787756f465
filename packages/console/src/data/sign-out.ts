import * as op from '@gantry/api/client/operations.gen'
import { client } from './client.ts'

/** Signs out, then loads the sign-in page anew, so that nothing of this person stays in memory. */
export async function signOut(): Promise<void> {
  // Whether or not the server could be told, the person wants to leave.
  await client(op.logout, {})
  location.assign('/login')
}
