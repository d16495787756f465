import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'
import { deleteBelongings, deleteMemberships, personTables } from '../sign-in/sessions/belongings.ts'

/**
 * Deletes users with everything they own. Their role assignments remain without effect. Requires a lock on
 * the users.
 */
export async function removePeople(tx: Change, people: readonly Row<'silo_user'>[]): Promise<void> {
  const ids = people.map(({ id }) => id)
  await deleteBelongings(tx, personTables, ids)
  await deleteMemberships(tx, ids)
  for (const table of ['list_preference', 'favourite', 'shared_view_choice'] as const)
    await tx.plain
      .deleteFrom(table)
      .where(sql<boolean>`silo_user_id = ANY (${ids}::uuid[])`)
      .execute()
  await removeKeys(tx, ids)
  const accounts = people.filter(({ is_service_account }) => is_service_account)
  if (accounts.length > 0) await removeAccounts(tx, accounts)
  await tx.removeAll('silo_user', people)
}

/** What a service account is besides a user, with the same id. */
async function removeAccounts(tx: Change, users: readonly Row<'silo_user'>[]): Promise<void> {
  const rows = await tx.read
    .selectFrom('service_account')
    .selectAll()
    .where(sql<boolean>`id = ANY (${users.map(({ id }) => id)}::uuid[])`)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  await tx.removeAll('service_account', rows)
}

async function removeKeys(tx: Change, owners: readonly string[]): Promise<void> {
  const keys = await tx.read
    .selectFrom('ssh_key')
    .selectAll()
    .where(sql<boolean>`silo_user_id = ANY (${owners}::uuid[])`)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = keys.map(({ id }) => id)
  await tx.plain
    .deleteFrom('instance_ssh_key')
    .where(sql<boolean>`ssh_key_id = ANY (${ids}::uuid[])`)
    .execute()
  await tx.removeAll('ssh_key', keys)
}
