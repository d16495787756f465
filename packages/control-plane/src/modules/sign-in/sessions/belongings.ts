import { sql } from 'kysely'
import type { Change } from '@gantry/control-plane/change/change'

/** Second factors, and sign-ins pending one. */
export const secondFactorTables = [
  'passkey',
  'passkey_challenge',
  'totp',
  'totp_set_up',
  'recovery_code',
  'pending_sign_in',
] as const

/** All credentials of a user. */
export const personTables = [
  ...secondFactorTables,
  'silo_user_password',
  'saml_sign_in_test',
  'console_session',
  'device_access_token',
] as const

/** Removes these users from their groups. Requires a lock on the users. */
export const deleteMemberships = async (tx: Change, people: readonly string[]): Promise<void> => {
  await tx.roles.deleteFrom('silo_group_membership').where(ofAnyOf(people)).execute()
}

/** Deletes these users' rows from these tables. Requires a lock on the users. */
export async function deleteBelongings(
  tx: Change,
  tables: readonly (typeof personTables)[number][],
  people: readonly string[],
): Promise<void> {
  for (const table of tables)
    await tx.plain
      .deleteFrom(table as 'console_session')
      .where(ofAnyOf(people))
      .execute()
}

const ofAnyOf = (people: readonly string[]) => sql<boolean>`silo_user_id = ANY (${people}::uuid[])`
