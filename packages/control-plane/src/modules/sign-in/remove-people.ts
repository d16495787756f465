import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'

/** What lets people in, and what only means something with them. */
const belongings = [
  'silo_user_password',
  'silo_group_membership',
  'console_session',
  'device_access_token',
  'passkey',
  'passkey_challenge',
  'totp',
  'totp_set_up',
  'recovery_code',
  'pending_sign_in',
] as const

/** People whom the change holds, with everything of theirs; roles that name them stay, and give nobody anything. */
export async function removePeople(tx: Change, people: readonly Row<'silo_user'>[]): Promise<void> {
  const ids = people.map(({ id }) => id)
  for (const table of belongings)
    await tx.plain
      .deleteFrom(table as 'console_session')
      .where(sql<boolean>`silo_user_id = ANY (${ids}::uuid[])`)
      .execute()
  await removeKeys(tx, ids)
  for (const user of people) await tx.remove('silo_user', user)
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
  for (const key of keys) await tx.remove('ssh_key', key)
}
