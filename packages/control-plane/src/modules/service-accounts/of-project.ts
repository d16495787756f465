import { sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import { removePeople } from '../people/remove-people.ts'

/** Deletes the service accounts of a deleted project with their tokens, which no recycle bin brings back. */
export async function removeAccountsOf(tx: Change, project_id: string): Promise<void> {
  const accounts = await liveRows(tx, 'service_account', 'project_id', project_id)
  if (accounts.length === 0) return
  const ids = accounts.map(({ id }) => id)
  const users = await tx.read
    .selectFrom('silo_user')
    .selectAll()
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .where('time_deleted', 'is', null)
    // In one order, as a concurrent token grant holds one of them.
    .orderBy('id')
    .forUpdate()
    .execute()
  await removePeople(tx, users)
}
