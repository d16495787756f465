import type { Change } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import { removePeople } from '../people/remove-people.ts'

/** Deletes the service accounts of a deleted project with their tokens, which no recycle bin brings back. */
export async function removeAccountsOf(tx: Change, project_id: string): Promise<void> {
  const accounts = await liveRows(tx, 'service_account', 'project_id', project_id)
  if (accounts.length === 0) return
  const users = []
  // In one order, as a concurrent token grant holds one of them.
  for (const { id } of accounts.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    users.push(await tx.lockById('silo_user', id))
  await removePeople(tx, users)
}
