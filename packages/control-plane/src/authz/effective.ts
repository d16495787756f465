import type { EffectiveRole, RoleSource } from '@gantry/api/base/permission'
import { type RoleName, roleOrder, strongestRole } from '@gantry/api/base/roles.rules'
import type { Row } from '../db/tables.ts'
import { fleetRoleOf, type MappedFleetRoles, projectRoleOf } from './policy.ts'

/** A role assignment, with the group it comes through unless it is direct. */
export interface Assignment extends Pick<
  Row<'role_assignment'>,
  'resource_type' | 'resource_id' | 'role_name'
> {
  group: { id: string; display_name: string } | null
}

/** The roles of one user or group within one silo, each with all its sources. */
export interface Roles {
  fleet: EffectiveRole
  silo: EffectiveRole
  /** The role that the silo role gives in every project. */
  everyProject: EffectiveRole
  inProject: (projectId: string) => EffectiveRole
  /** Projects with assignments of their own. */
  projects: readonly string[]
}

/** Follows the same rules as `rolesOf`, which computes only the strongest; a test keeps the two in step. */
export function explainRoles(assignments: readonly Assignment[], mapped: MappedFleetRoles): Roles {
  // Direct assignments before those of groups, which sort by name.
  const held = assignments.toSorted((a, b) => compare(groupName(a), groupName(b)))
  const on = (level: Assignment['resource_type'], id?: string) =>
    held.filter((one) => one.resource_type === level && (id === undefined || one.resource_id === id))
  const asTheyAre = (level: Assignment['resource_type'], id?: string) =>
    on(level, id).flatMap((one) => sourceOf(one, one.role_name))
  const worth = (brings: (silo: RoleName) => RoleName | undefined) =>
    on('silo').flatMap((one) => sourceOf(one, brings(one.role_name)))
  return {
    fleet: strongestOf([...asTheyAre('fleet'), ...worth((role) => fleetRoleOf(role, mapped))]),
    silo: strongestOf(asTheyAre('silo')),
    everyProject: strongestOf(worth(projectRoleOf)),
    inProject: (id) => strongestOf([...asTheyAre('project', id), ...worth(projectRoleOf)]),
    projects: [...new Set(on('project').map(({ resource_id }) => resource_id))],
  }
}

function sourceOf(
  { resource_type, role_name, group }: Assignment,
  brings: RoleName | undefined,
): RoleSource[] {
  return brings ? [{ role_name: brings, assigned_on: resource_type, assigned_role: role_name, group }] : []
}

/** Among equal roles, a direct assignment precedes an inherited one. */
function strongestOf(sources: RoleSource[]): EffectiveRole {
  const sorted = sources.toSorted((a, b) => roleOrder.indexOf(a.role_name) - roleOrder.indexOf(b.role_name))
  return { role_name: strongestRole(sorted.map((source) => source.role_name)) ?? null, sources: sorted }
}

const groupName = ({ group }: Assignment): string => group?.display_name ?? ''
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
