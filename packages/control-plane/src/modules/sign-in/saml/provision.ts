import { externalIdMaxLength } from '@gantry/api/people/silo.rules'
import { isLonger } from '@gantry/api/base/text.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { SamlAssertion } from '@gantry/control-plane/environment'
import { retryWhenTaken } from '@gantry/control-plane/change/retry'
import type { Change } from '@gantry/control-plane/change/change'
import { Refusal, unreadable } from '@gantry/control-plane/context/refusal'

/** Part of reading an assertion, so that a test of the sign-in refuses the same names. */
export function checkNames({ subject, groups }: SamlAssertion): void {
  if ([subject, ...groups].some((name) => isLonger(name, externalIdMaxLength)))
    throw unreadable(`a name in the assertion is longer than ${externalIdMaxLength} characters`)
}

/**
 * Finds or creates the user of an assertion, with exactly the groups it names (control plane reference, A
 * 5.6). Concurrent first sign-ins create user and groups only once: the later one reruns and finds them.
 */
export async function provisionUser(
  tx: Change,
  silo_id: string,
  { subject, groups }: SamlAssertion,
): Promise<Row<'silo_user'>> {
  const names = [...new Set(groups)].sort()
  const found = await find(tx, 'silo_user', silo_id, subject)
  const user = found
    ? await tx.lockById('silo_user', found.id)
    : await retryWhenTaken(
        'silo_user_external_key',
        tx.insert('silo_user', { silo_id, external_id: subject }),
      )
  if (user.is_service_account) throw isAccount(subject)
  const wanted: string[] = []
  for (const name of names) {
    const group =
      (await find(tx, 'silo_group', silo_id, name)) ??
      (await retryWhenTaken(
        'silo_group_external_key',
        tx.insert('silo_group', { silo_id, external_id: name }),
      ))
    wanted.push(group.id)
  }
  await replaceMemberships(tx, user.id, wanted)
  return user
}

/** A service account has no person behind it: an assertion of its name must not become it. */
const isAccount = (subject: string): Refusal =>
  new Refusal('Unauthorized', `"${subject}" is the name of a service account of this silo`, {
    help: 'Ask an administrator of the silo to rename the service account.',
  })

/**
 * The user of an assertion in a silo whose identity provider manages its users by SCIM: one that it created, with the
 * groups that it gave. Nothing else of the assertion counts.
 */
export async function provisionedUser(
  tx: Change,
  silo_id: string,
  { subject }: SamlAssertion,
): Promise<Row<'silo_user'>> {
  const found = await tx.read
    .selectFrom('silo_user')
    .select('id')
    .where('silo_id', '=', silo_id)
    .where('folded_name', '=', subject.toLowerCase())
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  const user = found && (await tx.lockById('silo_user', found.id))
  if (!user?.is_active)
    throw new Refusal(
      'Unauthorized',
      user ? `the user "${subject}" is not active` : `there is no user "${subject}" in this silo`,
      { help: 'Ask an administrator to assign you to this application at the identity provider.' },
    )
  return user
}

const find = (tx: Change, table: 'silo_user' | 'silo_group', silo_id: string, external_id: string) =>
  tx.read
    .selectFrom(table)
    .select('id')
    .where('silo_id', '=', silo_id)
    .where('external_id', '=', external_id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()

async function replaceMemberships(tx: Change, silo_user_id: string, wanted: string[]): Promise<void> {
  const rows = await tx.read
    .selectFrom('silo_group_membership')
    .select('silo_group_id')
    .where('silo_user_id', '=', silo_user_id)
    .execute()
  const had = rows.map((row) => row.silo_group_id)
  const gone = had.filter((id) => !wanted.includes(id))
  const fresh = wanted.filter((id) => !had.includes(id))
  if (gone.length > 0)
    await tx.roles
      .deleteFrom('silo_group_membership')
      .where('silo_user_id', '=', silo_user_id)
      .where('silo_group_id', 'in', gone)
      .execute()
  if (fresh.length > 0)
    await tx.roles
      .insertInto('silo_group_membership')
      .values(fresh.map((silo_group_id) => ({ silo_group_id, silo_user_id })))
      .execute()
  if (gone.length + fresh.length > 0) tx.note('silo-user', silo_user_id, { groups: had }, { groups: wanted })
}
