import type { UserCreate, UserPassword } from '@gantry/api/people/identity-provider'
import { holdsFleetRole } from '@gantry/control-plane/authz/fleet-stake'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { aim, allow, type Authorised, type Found, know, need } from '@gantry/control-plane/lookup/need'
import { alreadyExists, invalid, notFound } from '@gantry/control-plane/context/refusal'
import { endCredentials } from '../sessions/end-credentials.ts'
import { hashNewPassword } from './new-password.ts'
import { type KeptPassword, writePassword } from './kept-password.ts'
import { removePeople } from '../../people/remove-people.ts'

type Person = Row<'silo_user'>

/** Users can only be created and deleted in silos that manage their own (control plane reference, A 9.3). */
async function needLocalSilo(cx: Cx, selector: string): Promise<Found<'silo'>> {
  const silo = await need(cx, 'silo', { silo: selector }, 'read')
  if (silo.row.identity_mode !== 'local_only') throw notFound('identity-provider', { name: 'local' })
  return silo
}

/** A user whose access the caller manages. */
export async function needLocalUser(
  cx: Cx,
  siloSelector: string,
  given: string,
): Promise<Authorised<'silo_user'> & { silo_name: string }> {
  const { row: silo } = await needLocalSilo(cx, siloSelector)
  const person = await know(cx, 'silo_user', { user_id: given }, { silo_id: silo.id })
  allow(cx, person, 'modify', { fleet_stake: await holdsFleetRole(cx.db, silo, person.row.id) })
  if (person.row.is_service_account)
    throw invalid(
      'this user is a service account',
      'It has no password. Manage it and its access tokens under Service accounts.',
    )
  aim(cx, person.row)
  return { ...person.row, silo_name: silo.name }
}

export async function createLocalUser(cx: Cx, siloSelector: string, body: UserCreate): Promise<Person> {
  const silo = await needSiloForUsers(cx, siloSelector)
  const { external_id, password } = body
  return insertLocalUser(cx, silo, external_id, await hashOf(cx, password, [external_id, silo.name]))
}

/** A silo in which the caller may create users. */
export async function needSiloForUsers(cx: Cx, selector: string): Promise<Row<'silo'>> {
  const found = await needLocalSilo(cx, selector)
  allow(cx, found, 'create_child', { as: 'siloUser' })
  return found.row
}

export const insertLocalUser = (
  cx: Cx,
  { id: silo_id }: Row<'silo'>,
  external_id: string,
  password: KeptPassword | undefined,
): Promise<Person> =>
  change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    const user = await tx.insert('silo_user', { silo_id, external_id }).catch((error: unknown) => {
      const { constraint } = error as { constraint?: string }
      throw constraint === 'silo_user_external_key' ? alreadyExists('silo-user', external_id) : error
    })
    await writePassword(tx, user, password)
    return user
  })

export async function deleteLocalUser(cx: Cx, siloSelector: string, given: string): Promise<void> {
  const { id, silo_id } = await needLocalUser(cx, siloSelector, given)
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    const user = await tx.lockById('silo_user', id)
    await removePeople(tx, [user])
  })
}

export async function setLocalPassword(
  cx: Cx,
  siloSelector: string,
  given: string,
  password: UserPassword,
): Promise<void> {
  const person = await needLocalUser(cx, siloSelector, given)
  if (password.mode === 'password') refuseOwn(cx, person)
  await replacePassword(cx, person, await hashOf(cx, password, [person.external_id, person.silo_name]))
}

export function refuseOwn(cx: Cx, { id }: Pick<Person, 'id'>): void {
  if (id === cx.user().user_id)
    throw invalid(
      'changing your own password requires the old one',
      'Change it in your settings, or with POST /ext/v1/me/password and both passwords.',
    )
}

/** Also ends the user's sessions and tokens: a reset is for when the old password may be known. */
export const replacePassword = (
  cx: Cx,
  { id, silo_id }: Pick<Person, 'id' | 'silo_id'>,
  password: KeptPassword | undefined,
): Promise<void> =>
  change(cx, { silo_id, project_id: null }, async (tx) => {
    const user = await tx.lockById('silo_user', id)
    await writePassword(tx, user, password)
    await endCredentials(tx, id)
    tx.note('silo-user', id, undefined, undefined)
  })

/** Hashed before the transaction: hashing is slow, and a transaction holds locks. */
async function hashOf(
  cx: Cx,
  password: UserPassword,
  names: readonly string[],
): Promise<KeptPassword | undefined> {
  if (password.mode !== 'password') return undefined
  return { hash: await hashNewPassword(cx, password.value, names), is_one_time: false }
}
