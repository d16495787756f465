import type { Action } from '@gantry/api/extensions.rules'
import { type RoleName, roleCovers } from '@gantry/api/roles.rules'

/** Levels at which roles are held; `member` is everybody of the silo, `owner` the person a thing belongs to. */
interface Grants {
  fleet?: RoleName
  silo?: RoleName
  project?: RoleName
  member?: true
  owner?: true
}

type Rule = Readonly<Record<Action, Grants>>

const childOfProject: Rule = {
  read: { silo: 'viewer', project: 'viewer' },
  list_children: { silo: 'viewer', project: 'viewer' },
  create_child: { silo: 'collaborator', project: 'collaborator' },
  modify: { silo: 'collaborator', project: 'collaborator' },
}

const person: Rule = {
  read: { member: true, fleet: 'viewer' },
  list_children: { member: true, fleet: 'viewer' },
  create_child: { silo: 'admin', fleet: 'admin' },
  modify: { silo: 'admin', fleet: 'admin', owner: true },
}

/**
 * The policy: for each class of resource and action, the weakest role that may, at each level. Whoever holds
 * none of them may not; there are no rules that take away (control plane reference, A 6.4).
 */
export const policy = {
  fleet: {
    read: { fleet: 'viewer' },
    list_children: { fleet: 'viewer' },
    create_child: { fleet: 'collaborator' },
    modify: { fleet: 'admin' },
  },
  silo: {
    read: { member: true, fleet: 'viewer' },
    list_children: { silo: 'viewer' },
    create_child: { silo: 'collaborator' },
    modify: { silo: 'admin', fleet: 'collaborator' },
  },
  siloUser: person,
  siloGroup: person,
  siloImage: {
    read: { silo: 'viewer' },
    list_children: { silo: 'viewer' },
    create_child: { silo: 'collaborator' },
    modify: { silo: 'collaborator' },
  },
  project: {
    read: { silo: 'viewer', project: 'viewer' },
    list_children: { silo: 'viewer', project: 'viewer' },
    create_child: { silo: 'collaborator', project: 'collaborator' },
    modify: { silo: 'collaborator', project: 'admin' },
  },
  projectChild: childOfProject,
  /** A pool, seen from a silo that it is linked to. */
  siloIpPool: {
    read: { member: true },
    list_children: { silo: 'viewer' },
    create_child: { member: true },
    modify: {},
  },
  sshKey: {
    read: { owner: true, silo: 'viewer', fleet: 'viewer' },
    list_children: { owner: true, silo: 'viewer', fleet: 'viewer' },
    create_child: { owner: true },
    modify: { owner: true, silo: 'admin', fleet: 'admin' },
  },
} as const satisfies Record<string, Rule>

export type ResourceClass = keyof typeof policy

/** Where an object stands: what decides which of a person's roles count for it. */
export interface Place {
  class: ResourceClass
  silo_id?: string
  project_id?: string | null
  owner_id?: string
}

export interface RoleSet {
  silo_id: string
  user_id: string
  fleet: RoleName | undefined
  silo: RoleName | undefined
  project: (project_id: string) => RoleName | undefined
  /** Projects in which some role is held. */
  projects: readonly string[]
}

/** Whether the roles allow the action; silo and project roles count only inside the person's own silo. */
export function permits(roles: RoleSet, action: Action, place: Place): boolean {
  const grants: Grants = policy[place.class][action]
  const inSilo = place.silo_id === undefined || place.silo_id === roles.silo_id
  if (grants.fleet && roleCovers(roles.fleet, grants.fleet)) return true
  if (!inSilo) return false
  if (grants.member) return true
  if (grants.owner && place.owner_id === roles.user_id) return true
  if (grants.silo && roleCovers(roles.silo, grants.silo)) return true
  return Boolean(
    grants.project && place.project_id && roleCovers(roles.project(place.project_id), grants.project),
  )
}

/** The roles any of which would do, as a person reads them: `project collaborator or silo collaborator`. */
export function needed(action: Action, resource: ResourceClass): string {
  const grants: Grants = policy[resource][action]
  const roles = (['project', 'silo', 'fleet'] as const).flatMap((level) =>
    grants[level] ? [`${level} ${grants[level]}`] : [],
  )
  return roles.length > 0 ? `the role ${roles.join(' or ')}` : 'to be its owner'
}
