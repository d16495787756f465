import { type RoleName, strongestRole } from '@gantry/api/base/roles.rules'
import type { AuditActor, Credential } from '../db/tables.ts'
import type { Held } from './held-roles.ts'
import { fleetRoleOf, type MappedFleetRoles, type RoleSet } from './policy.ts'

/** The fleet is one object without a row; this is its id (control plane reference, A 7). */
export const fleetId = '001de000-1334-4000-8000-000000000000'

export interface SiloUser extends RoleSet {
  kind: 'silo_user'
  display_name: string
  /** Of the user. */
  time_created: Date
  time_modified: Date
  silo_name: string
  /** Undefined when the system acts for a user without one. */
  credential: Credential | undefined
}
/** The platform; what a schedule does, it does for that schedule. */
interface System {
  kind: 'system'
  schedule?: { id: string; name: string }
}
/** An identity provider, which manages the users and groups of a silo and may do nothing else. */
export interface ScimClient {
  kind: 'scim'
  silo_id: string
  token_id: string
}
export type Actor = { kind: 'anonymous' } | System | SiloUser | ScimClient

/** Every role of a user, direct or through groups, including the fleet roles that the silo maps to. */
export function rolesOf(
  person: { user_id: string; silo_id: string },
  held: readonly Held[],
  mapped: MappedFleetRoles,
): RoleSet {
  const at = (type: Held['resource_type'], id: string): RoleName | undefined =>
    strongestRole(
      held
        .filter((role) => role.resource_type === type && role.resource_id === id)
        .map((role) => role.role_name),
    )
  const silo = at('silo', person.silo_id)
  const mappedRole = silo && fleetRoleOf(silo, mapped)
  const fleet = strongestRole([at('fleet', fleetId), mappedRole].filter((role) => role !== undefined))
  const projects = held.filter((role) => role.resource_type === 'project').map((role) => role.resource_id)
  return { ...person, fleet, silo, project: (id) => at('project', id), projects }
}

/** Whether both are one user with the same roles. */
export const isSameUser = (one: RoleSet, other: RoleSet): boolean =>
  one === other ||
  (one.user_id === other.user_id &&
    one.silo_id === other.silo_id &&
    one.fleet === other.fleet &&
    one.silo === other.silo &&
    [...one.projects, ...other.projects].every((id) => one.project(id) === other.project(id)))

export function auditActor(actor: Actor): AuditActor {
  if (actor.kind === 'silo_user') {
    const { user_id, silo_id, credential } = actor
    const token = credential?.method === 'access_token' && {
      id: credential.id,
      name: credential.name ?? null,
    }
    return { kind: 'silo_user', silo_user_id: user_id, silo_id, ...(token && { token }) }
  }
  if (actor.kind === 'scim')
    return { kind: 'scim', silo_id: actor.silo_id, token: { id: actor.token_id, name: null } }
  if (actor.kind === 'anonymous') return { kind: 'unauthenticated' }
  return { kind: 'system', ...(actor.schedule && { schedule: actor.schedule }) }
}
