import type { RoleName } from './roles.rules.ts'
import { series, spoken } from './state.rules.ts'

/** Levels at which roles are assigned. */
export const levels = ['fleet', 'silo', 'project'] as const
export type Level = (typeof levels)[number]

/**
 * What a check may be about. Users, groups, images, shared views, identity providers, certificates, SCIM tokens, and the
 * sessions and tokens of other users, stand for all of their kind in a silo; `id` then names the silo, by default the
 * caller's own. `silo_deletion` is the silo with its users, some of whom may hold fleet roles. `project_network` stands
 * for the VPCs of a project and all that is in them; `id` then names the project.
 */
export const checkedObjects = [
  'fleet',
  'silo',
  'silo_deletion',
  'silo_quotas',
  'silo_user',
  'silo_group',
  'silo_image',
  'silo_view',
  'identity_provider',
  'user_credentials',
  'certificate',
  'scim_token',
  'project',
  'project_network',
] as const
export type CheckedObject = (typeof checkedObjects)[number]

/** Maximum number of checks in one request. */
export const maxChecks = 100

/** Sort modes of the lists of users and groups; the first is the default. */
export const accessSorts = ['name_ascending', 'name_descending'] as const
export type AccessSort = (typeof accessSorts)[number]

/** A sufficient role, by the name of its object; the fleet has none. */
interface MissingRole {
  role_name: RoleName
  on: Level
  name: string | null
}

/**
 * The sentence shown beside a forbidden action; any one of the roles suffices: `You need the role admin on
 * project web or collaborator on silo demo`.
 */
export function missingRoleSentence(missing: readonly MissingRole[]): string {
  const places = new Map<RoleName, string[]>()
  for (const { role_name, on, name } of missing)
    places.set(role_name, [...(places.get(role_name) ?? []), name === null ? `the ${on}` : `${on} ${name}`])
  const roles = [...places].map(([role, on]) => `${spoken(role)} on ${series(on, 'or')}`)
  return `You need the role ${series(roles, 'or')}`
}
