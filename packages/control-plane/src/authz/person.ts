import { CompiledQuery } from 'kysely'
import type { Credential, Row } from '../db/tables.ts'
import type { Services } from '../context/services.ts'
import { type Actor, rolesOf, type SiloUser } from './actor.ts'
import { type CredentialSource, holding, print } from './credential-text.ts'
import { type Held, cachedRoles, heldRoles, rolesEpoch } from './held-roles.ts'
import type { Holder } from './recent-callers.ts'
import { narrowed, within } from './token-scope.ts'

interface PersonRow {
  silo_user_id: string
  external_id: string
  within_project_id: string | null
  user_created: Date
  user_modified: Date
  silo_id: string
  silo_name: string
  mapped_fleet_roles: Row<'silo'>['mapped_fleet_roles']
}
export interface HolderRow extends PersonRow {
  roles_epoch: number
  print: string
}

/** A user with silo, as columns of a query over `u` and `silo`, whose names no credential has. */
const person = `u.id AS silo_user_id, u.external_id, u.within_project_id, u.time_created AS user_created, u.time_modified AS user_modified, u.silo_id, silo.name AS silo_name, silo.mapped_fleet_roles`

/**
 * Reads a credential's user, with some of its columns: one round trip with one statement text, because every
 * request pays for it.
 */
export const holderText = ({ table, condition }: CredentialSource, columns: string): string => `
  SELECT ${columns}, ${person}, ${rolesEpoch} AS roles_epoch, ${print} AS print
  FROM ${holding(table)}
  WHERE ${condition}`

const personText = `
  SELECT ${person}, ${heldRoles('u.id')}
  FROM silo_user u JOIN silo ON silo.id = u.silo_id AND silo.time_deleted IS NULL
  WHERE u.id = $1 AND u.time_deleted IS NULL AND u.is_active`

/**
 * A user for whom the system continues work, with current roles; undefined when the user no longer exists, or was
 * deactivated.
 */
export async function findPerson({ db }: Services, userId: string): Promise<SiloUser | undefined> {
  const { rows } = await db.executeQuery<PersonRow & { held: Held[] }>(
    CompiledQuery.raw(personText, [userId]),
  )
  return rows[0] && actorOf(rows[0], rows[0].held, undefined)
}

/** The user a credential belongs to. */
export async function holderOf(services: Services, row: HolderRow, credential: Credential): Promise<Holder> {
  const { db, clock } = services
  const { held, time } = await cachedRoles(services).of(db, row, clock())
  return { actor: actorOf(row, held, credential), rolesAt: time, print: row.print }
}

function actorOf(row: PersonRow, held: readonly Held[], credential: Credential | undefined): SiloUser {
  const user: SiloUser = {
    kind: 'silo_user',
    ...rolesOf({ user_id: row.silo_user_id, silo_id: row.silo_id }, held, row.mapped_fleet_roles),
    display_name: row.external_id,
    time_created: row.user_created,
    time_modified: row.user_modified,
    silo_name: row.silo_name,
    credential,
  }
  return narrowed(within(user, row.within_project_id), credential?.scope)
}

interface Begun {
  silo_user_id: string
  request: { credential?: Credential | undefined }
}

/** The user who began a durable task, with the roles of now. */
export async function authorOfTask(
  services: Services,
  { silo_user_id, request: { credential } }: Begun,
): Promise<Actor> {
  const known = await findPerson(services, silo_user_id)
  return known ? narrowed({ ...known, credential }, credential?.scope) : { kind: 'anonymous' }
}
