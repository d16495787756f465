import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'

export type KeptPassword = Pick<Row<'silo_user_password'>, 'hash' | 'is_one_time'>

/** Sets or deletes a user's password: a user without one cannot sign in. Requires a lock on the user. */
export async function writePassword(
  tx: Change,
  { id }: { id: string },
  password: KeptPassword | undefined,
): Promise<void> {
  if (password === undefined) {
    await tx.plain.deleteFrom('silo_user_password').where('silo_user_id', '=', id).execute()
    return
  }
  await tx.plain
    .insertInto('silo_user_password')
    .values({ silo_user_id: id, ...password })
    .onConflict((conflict) => conflict.column('silo_user_id').doUpdateSet(password))
    .execute()
}

/** A user's stored password. Requires a lock on the user. */
export const passwordOf = (tx: Change, id: string): Promise<KeptPassword | undefined> =>
  tx.read
    .selectFrom('silo_user_password')
    .select(['hash', 'is_one_time'])
    .where('silo_user_id', '=', id)
    .executeTakeFirst()
