import type { Action } from '@gantry/api/extensions.rules'
import { type Level, levels } from '@gantry/api/base/permission.rules'
import { spoken } from '@gantry/api/base/state.rules'
import {
  type FleetRoleName,
  type RoleName,
  roleCovers,
  roleOrder,
  strongestRole,
} from '@gantry/api/base/roles.rules'

export type MappedFleetRoles = Partial<Record<RoleName, FleetRoleName[]>>

/**
 * Levels at which roles are held; `member` is every user of the silo, `owner` the user a thing belongs to.
 */
interface Grants {
  fleet?: RoleName
  silo?: RoleName
  project?: RoleName
  member?: true
  owner?: true
  /** A role on the fleet that is necessary besides, and sufficient for nothing. */
  alsoFleet?: RoleName
}

type Rule = Readonly<Record<Action, Grants>>

const childOfProject: Rule = {
  read: { silo: 'viewer', project: 'viewer' },
  list_children: { silo: 'viewer', project: 'viewer' },
  create_child: { silo: 'limited_collaborator', project: 'limited_collaborator' },
  modify: { silo: 'limited_collaborator', project: 'limited_collaborator' },
}

/** What a limited collaborator only reads: VPCs, and what is in them (API versions reference, 6.8). */
const networkOfProject: Rule = {
  ...childOfProject,
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
 * The policy: for each resource class and action, the weakest sufficient role at each level. Callers without
 * one are refused (control plane reference, A 6.4). One rule restricts it, `grantsAt` below: where a fleet
 * role is at stake, only a fleet admin may change anything.
 *
 * Stricter than the reference:
 *
 * | What | There | Here |
 * |---|---|---|
 * | policy, sign-in settings, deletion of a silo that maps roles to the fleet | silo admin, fleet
 * collaborator | fleet admin |
 * | deletion of a silo with users who hold fleet roles | silo admin, fleet collaborator | fleet admin |
 * | an identity provider in either of these | silo admin | fleet admin |
 * | password and deletion of a user who holds a fleet role | silo admin | fleet admin, oneself |
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
  /** Quotas are the fleet's decision. */
  siloQuotas: {
    read: { member: true, fleet: 'viewer' },
    list_children: { member: true, fleet: 'viewer' },
    create_child: {},
    modify: { fleet: 'collaborator' },
  },
  /**
   * How much of a silo's quota each of its projects uses: the operator sees project names but not their
   * contents.
   */
  siloUsage: {
    read: { silo: 'viewer', fleet: 'viewer' },
    list_children: { silo: 'viewer', fleet: 'viewer' },
    create_child: {},
    modify: {},
  },
  /** A silo's audit log. */
  siloAuditLog: {
    read: { silo: 'admin', fleet: 'viewer' },
    list_children: { silo: 'admin', fleet: 'viewer' },
    create_child: {},
    modify: {},
  },
  siloUser: person,
  siloGroup: person,
  /** TLS certificates of a silo, hidden from everyone else. */
  certificate: {
    read: { silo: 'admin', fleet: 'admin' },
    list_children: { silo: 'admin', fleet: 'admin' },
    create_child: { silo: 'admin', fleet: 'admin' },
    modify: { silo: 'admin', fleet: 'admin' },
  },
  /** Tokens by which an identity provider manages the silo's users, hidden from everyone else. */
  scimToken: {
    read: { silo: 'admin', fleet: 'admin' },
    list_children: { silo: 'admin', fleet: 'admin' },
    create_child: { silo: 'admin', fleet: 'admin' },
    modify: { silo: 'admin', fleet: 'admin' },
  },
  siloImage: {
    read: { silo: 'viewer' },
    list_children: { silo: 'viewer' },
    create_child: { silo: 'limited_collaborator' },
    modify: { silo: 'limited_collaborator' },
  },
  /** Views of lists that are shared in the silo; those of a project are its children. */
  siloView: {
    read: { silo: 'viewer' },
    list_children: { silo: 'viewer' },
    create_child: { silo: 'limited_collaborator' },
    modify: { silo: 'limited_collaborator' },
  },
  /** Creating in it is creating anything but networks, whose class is asked about besides. */
  project: { ...childOfProject, modify: { silo: 'collaborator', project: 'admin' } },
  projectChild: childOfProject,
  projectNetwork: networkOfProject,
  /** Diagnosis by operators, inside the projects in which they have a role (control plane reference, A 15). */
  probe: {
    read: { ...networkOfProject.read, alsoFleet: 'viewer' },
    list_children: { ...networkOfProject.list_children, alsoFleet: 'viewer' },
    create_child: { ...networkOfProject.create_child, alsoFleet: 'admin' },
    modify: { ...networkOfProject.modify, alsoFleet: 'admin' },
  },
  /** A pool, seen from a silo that it is linked to. */
  siloIpPool: {
    read: { member: true },
    list_children: { silo: 'viewer' },
    create_child: { member: true },
    modify: {},
  },
  /** Sessions and access tokens: credentials of a user are visible only inside the silo. */
  userCredentials: {
    read: { owner: true, silo: 'admin' },
    list_children: { owner: true, silo: 'admin' },
    create_child: { owner: true },
    modify: { owner: true, silo: 'admin' },
  },
  /** News for one user, about tasks and notifications: of no interest to others, admins included. */
  ownNews: {
    read: { owner: true },
    list_children: { owner: true },
    create_child: {},
    modify: {},
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

/** Where an object belongs, which decides the roles that apply to it. */
export interface ResourceLocation {
  class: ResourceClass
  silo_id?: string
  project_id?: string | null
  owner_id?: string
  /**
   * Changing it could grant a fleet role, let the caller act as a user who holds one, or remove such users
   * (`fleet-stake.ts`).
   */
  fleet_stake?: boolean
}

type Target = Pick<ResourceLocation, 'class' | 'fleet_stake'>

/**
 * The roles that allow the action. A fleet role at stake never allows more, and leaves users their own
 * things.
 */
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
  /** Projects in which the user holds any role. */
  projects: readonly string[]
}

/** The grounds for allowing an action: a role at one of the levels, membership of the silo, or ownership. */
export type GrantedBy = Level | 'member' | 'owner'

/**
 * What allows the action, the nearest level first; undefined if nothing does. Silo and project roles apply
 * only inside the user's own silo.
 */
export function grantedBy(roles: RoleSet, action: Action, location: ResourceLocation): GrantedBy | undefined {
  const grants = grantsAt(action, location)
  if (grants.alsoFleet && !roleCovers(roles.fleet, grants.alsoFleet)) return undefined
  if (location.silo_id === undefined || location.silo_id === roles.silo_id) {
    if (grants.member) return 'member'
    if (grants.owner && location.owner_id === roles.user_id) return 'owner'
    const { project_id } = location
    if (grants.project && project_id && roleCovers(roles.project(project_id), grants.project))
      return 'project'
    if (grants.silo && roleCovers(roles.silo, grants.silo)) return 'silo'
  }
  return grants.fleet && roleCovers(roles.fleet, grants.fleet) ? 'fleet' : undefined
}

export const permits = (roles: RoleSet, action: Action, location: ResourceLocation): boolean =>
  grantedBy(roles, action, location) !== undefined

/** The weakest sufficient role at each level. */
export function neededRoles(action: Action, target: Target): { on: Level; role_name: RoleName }[] {
  const grants = grantsAt(action, target)
  return levels.toReversed().flatMap((on) => (grants[on] ? [{ on, role_name: grants[on] }] : []))
}

/** The sufficient roles in words: `project collaborator or silo collaborator`. */
export function needed(action: Action, target: Target): string {
  const roles = neededRoles(action, target).map(({ on, role_name }) => `${on} ${spoken(role_name)}`)
  const { alsoFleet } = grantsAt(action, target)
  const besides = alsoFleet ? `, and the role fleet ${alsoFleet}` : ''
  return roles.length > 0
    ? `the role ${roles.join(' or ')}${besides}${stakeReason(target)}`
    : 'to be its owner'
}

/** Why the usual role is insufficient, as the end of a sentence that names the required one. */
export const stakeReason = ({ fleet_stake }: Target): string =>
  fleet_stake ? ', because a role on the fleet is at stake' : ''

const projectGrants: readonly Grants[] = [policy.project, policy.projectChild, policy.projectNetwork].flatMap(
  (rule) => Object.values<Grants>(rule),
)
const projectRoles = Object.fromEntries(
  roleOrder.map((silo) => [
    silo,
    // The strongest project role that allows nothing beyond the silo role.
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

/** The project role that a silo role is equivalent to, derived from the policy above. */
export const projectRoleOf = (silo: RoleName): RoleName | undefined => projectRoles[silo]

/** The fleet role mapped from a silo role, including the mappings of weaker silo roles. */
export function fleetRoleOf(silo: RoleName, mapped: MappedFleetRoles): FleetRoleName | undefined {
  return strongestRole(roleOrder.slice(roleOrder.indexOf(silo)).flatMap((role) => mapped[role] ?? []))
}

/** Whether any silo role maps to a fleet role; fixed when the silo is created. */
export const mapsToFleet = (mapped: MappedFleetRoles): boolean =>
  roleOrder.some((role) => fleetRoleOf(role, mapped) !== undefined)
