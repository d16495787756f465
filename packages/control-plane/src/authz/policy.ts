import type { Action } from '@gantry/api/extensions.rules'
import { type Level, levels } from '@gantry/api/permission.rules'
import { type RoleName, roleCovers, roleOrder, strongestRole } from '@gantry/api/roles.rules'

export type MappedFleetRoles = Partial<Record<RoleName, RoleName[]>>

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
 * The policy: for each class of resource and action, the weakest role that may, at each level. Whoever holds none of
 * them may not (control plane reference, A 6.4). One rule takes away, `grantsAt` below: where a role on the fleet is
 * at stake, only the fleet's admin changes anything.
 *
 * Stricter than the reference:
 *
 * | What | There | Here |
 * |---|---|---|
 * | policy, sign-in settings, deletion of a silo that maps roles to the fleet | silo admin, fleet collaborator | fleet admin |
 * | deletion of a silo where somebody holds a role on the fleet | silo admin, fleet collaborator | fleet admin |
 * | an identity provider in either of these | silo admin | fleet admin |
 * | password and deletion of somebody who holds a role on the fleet | silo admin | fleet admin, oneself |
 * | quotas of a silo | silo admin, fleet collaborator | fleet collaborator |
 * | SSH keys of others | whole silo | silo viewer |
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
  /** What a silo may use belongs to the fleet. */
  siloQuotas: {
    read: { member: true, fleet: 'viewer' },
    list_children: { member: true, fleet: 'viewer' },
    create_child: {},
    modify: { fleet: 'collaborator' },
  },
  siloUser: person,
  siloGroup: person,
  /** TLS certificates of a silo, which nobody else has to know of. */
  certificate: {
    read: { silo: 'admin', fleet: 'admin' },
    list_children: { silo: 'admin', fleet: 'admin' },
    create_child: { silo: 'admin', fleet: 'admin' },
    modify: { silo: 'admin', fleet: 'admin' },
  },
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
  /** Sessions and access tokens: what lets somebody act as a person is nobody's business but the silo's. */
  userCredentials: {
    read: { owner: true, silo: 'admin' },
    list_children: { owner: true, silo: 'admin' },
    create_child: { owner: true },
    modify: { owner: true, silo: 'admin' },
  },
  identityProviderList: {
    read: {},
    list_children: { member: true, fleet: 'viewer' },
    create_child: { silo: 'admin', fleet: 'admin' },
    modify: {},
  },
  identityProvider: {
    read: { silo: 'viewer', fleet: 'viewer' },
    list_children: { silo: 'viewer', fleet: 'viewer' },
    create_child: { silo: 'admin', fleet: 'admin' },
    modify: { silo: 'admin', fleet: 'admin' },
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
  /**
   * Whoever changes it could give somebody a role on the fleet, act as somebody who holds one, or remove them
   * (`fleet-stake.ts`).
   */
  fleet_stake?: boolean
}

type Target = Pick<Place, 'class' | 'fleet_stake'>

/** What lets somebody act there. A role on the fleet at stake never gives more, and leaves everybody their own. */
function grantsAt(action: Action, { class: resource, fleet_stake }: Target): Grants {
  const grants: Grants = policy[resource][action]
  if (!fleet_stake || action === 'read' || action === 'list_children') return grants
  return { ...(grants.fleet && { fleet: 'admin' }), ...(grants.owner && { owner: true }) }
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

/** What may let somebody: a role on one of the levels, belonging to the silo, or owning the thing. */
export type GrantedBy = Level | 'member' | 'owner'

/**
 * What lets the person do it, the nearest first; undefined where nothing does. Silo and project roles count only
 * inside the person's own silo.
 */
export function grantedBy(roles: RoleSet, action: Action, place: Place): GrantedBy | undefined {
  const grants = grantsAt(action, place)
  if (place.silo_id === undefined || place.silo_id === roles.silo_id) {
    if (grants.member) return 'member'
    if (grants.owner && place.owner_id === roles.user_id) return 'owner'
    const { project_id } = place
    if (grants.project && project_id && roleCovers(roles.project(project_id), grants.project))
      return 'project'
    if (grants.silo && roleCovers(roles.silo, grants.silo)) return 'silo'
  }
  return grants.fleet && roleCovers(roles.fleet, grants.fleet) ? 'fleet' : undefined
}

export const permits = (roles: RoleSet, action: Action, place: Place): boolean =>
  grantedBy(roles, action, place) !== undefined

/** The weakest role on each level that would do. */
export function neededRoles(action: Action, target: Target): { on: Level; role_name: RoleName }[] {
  const grants = grantsAt(action, target)
  return levels.toReversed().flatMap((on) => (grants[on] ? [{ on, role_name: grants[on] }] : []))
}

/** The roles any of which would do, as a person reads them: `project collaborator or silo collaborator`. */
export function needed(action: Action, target: Target): string {
  const roles = neededRoles(action, target).map(({ on, role_name }) => `${on} ${role_name}`)
  return roles.length > 0 ? `the role ${roles.join(' or ')}${stakeReason(target)}` : 'to be its owner'
}

/** Why the usual role does not do, for the end of a sentence that names the one that does. */
export const stakeReason = ({ fleet_stake }: Target): string =>
  fleet_stake ? ', because a role on the fleet is at stake' : ''

const projectGrants: readonly Grants[] = [policy.project, policy.projectChild].flatMap((rule) =>
  Object.values<Grants>(rule),
)
const projectRoles = Object.fromEntries(
  roleOrder.map((silo) => [
    silo,
    // The strongest that gives nothing which the role on the silo does not.
    roleOrder.find((role) =>
      projectGrants.every(
        (grants) =>
          !grants.project ||
          !roleCovers(role, grants.project) ||
          (grants.silo !== undefined && roleCovers(silo, grants.silo)),
      ),
    ),
  ]),
) as Record<RoleName, RoleName | undefined>

/** What a role on the silo is worth in each of its projects, read off the policy above. */
export const projectRoleOf = (silo: RoleName): RoleName | undefined => projectRoles[silo]

/** The fleet role that a role on the silo brings, with those of every weaker silo role. */
export function fleetRoleOf(silo: RoleName, mapped: MappedFleetRoles): RoleName | undefined {
  return strongestRole(roleOrder.slice(roleOrder.indexOf(silo)).flatMap((role) => mapped[role] ?? []))
}

/** Whether any role on the silo brings one on the fleet; decided for good when the silo is created. */
export const mapsToFleet = (mapped: MappedFleetRoles): boolean =>
  roleOrder.some((role) => fleetRoleOf(role, mapped) !== undefined)
