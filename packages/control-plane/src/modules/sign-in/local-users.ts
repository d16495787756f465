import type { UserCreate, UserPassword } from '@gantry/api/identity-provider'
import { holdsFleetRole } from '../../authz/fleet-stake.ts'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { aim, allow, type Found, know, need } from '../../kernel/need.ts'
import { alreadyExists, invalid, notFound } from '../../kernel/refusal.ts'
import { endCredentials } from './end-credentials.ts'
import { hashNewPassword } from './new-password.ts'
import { removePeople } from './remove-people.ts'

type Person = Row<'silo_user'>

/** Only silos that keep their own users have users who are made and deleted here (control plane reference, A 9.3). */
async function needLocalSilo(cx: Cx, selector: string): Promise<Found<'silo'>> {
  const silo = await need(cx, 'silo', { silo: selector }, 'read')
  if (silo.row.identity_mode !== 'local_only') throw notFound('identity-provider', { name: 'local' })
  return silo
}

/** A user whom the caller may let in, or keep out. */
export async function needLocalUser(cx: Cx, siloSelector: string, given: string) {
  const { row: silo } = await needLocalSilo(cx, siloSelector)
  const person = await know(cx, 'silo_user', { user_id: given }, { silo_id: silo.id })
  allow(cx, person, 'modify', { fleet_stake: await holdsFleetRole(cx.db, silo, person.row.id) })
  aim(cx, person.row)
  return { ...person.row, silo_name: silo.name }
}

export async function createLocalUser(cx: Cx, siloSelector: string, body: UserCreate): Promise<Person> {
  const found = await needLocalSilo(cx, siloSelector)
  allow(cx, found, 'create_child', { as: 'siloUser' })
  const { row: silo } = found
  const { external_id } = body
  const hash = await hashOf(cx, body.password, [external_id, silo.name])
  return change(cx, { silo_id: silo.id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo.id)
    const user = await tx.insert('silo_user', { silo_id: silo.id, external_id }).catch((error: unknown) => {
      const { constraint } = error as { constraint?: string }
      throw constraint === 'silo_user_external_key' ? alreadyExists('silo-user', external_id) : error
    })
    await writePassword(tx, user, hash)
    return user
  })
}

export async function deleteLocalUser(cx: Cx, siloSelector: string, given: string): Promise<void> {
  const { id, silo_id } = await needLocalUser(cx, siloSelector, given)
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    const user = await tx.lock('silo_user', id)
    await removePeople(tx, [user])
  })
}

/** Ends the person's sessions and tokens too: a reset is for when somebody else may know the password. */
export async function setLocalPassword(
  cx: Cx,
  siloSelector: string,
  given: string,
  password: UserPassword,
): Promise<void> {
  const { id, silo_id, external_id, silo_name } = await needLocalUser(cx, siloSelector, given)
  if (password.mode === 'password' && id === cx.user().user_id)
    throw invalid(
      'changing your own password requires the old one',
      'Change it in your settings, or with POST /ext/v1/me/password and both passwords.',
    )
  const hash = await hashOf(cx, password, [external_id, silo_name])
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    const user = await tx.lock('silo_user', id)
    await writePassword(tx, user, hash)
    await endCredentials(tx, id)
    tx.note('silo-user', id, undefined, undefined)
  })
}

/** Hashed before the change: it takes long, and a change holds what it touched. */
const hashOf = (cx: Cx, password: UserPassword, names: readonly string[]): Promise<string | undefined> =>
  password.mode === 'password' ? hashNewPassword(cx, password.value, names) : Promise.resolve(undefined)

export async function writePassword(
  tx: Change,
  { id }: Pick<Person, 'id'>,
  hash: string | undefined,
): Promise<void> {
  if (hash === undefined) {
    await tx.plain.deleteFrom('silo_user_password').where('silo_user_id', '=', id).execute()
    return
  }
  await tx.plain
    .insertInto('silo_user_password')
    .values({ silo_user_id: id, hash })
    .onConflict((conflict) => conflict.column('silo_user_id').doUpdateSet({ hash }))
    .execute()
}
