/** Strongest first. Silo and project share these names. */
export const roleOrder = ['admin', 'collaborator', 'limited_collaborator', 'viewer'] as const
export type RoleName = (typeof roleOrder)[number]

/** Strongest first. The fleet has no networks of projects, which are all that a limited collaborator may not change. */
export const fleetRoleOrder = ['admin', 'collaborator', 'viewer'] as const satisfies readonly RoleName[]
export type FleetRoleName = (typeof fleetRoleOrder)[number]

/** The roles that can be assigned on each level, strongest first. */
export const rolesOn = {
  fleet: fleetRoleOrder,
  silo: roleOrder,
  project: roleOrder,
} as const satisfies Record<string, readonly RoleName[]>

/** Maximum number of assignments in one policy (control plane reference, A 6.6). */
export const policyMaxAssignments = 64

export function strongestRole<Role extends RoleName>(roles: Iterable<Role>): Role | undefined {
  const held = new Set<RoleName>(roles)
  return (roleOrder as readonly RoleName[]).find((role): role is Role => held.has(role))
}

/** Whether `held` is `wanted` or stronger. */
export function roleCovers(held: RoleName | undefined, wanted: RoleName): boolean {
  return held !== undefined && roleOrder.indexOf(held) <= roleOrder.indexOf(wanted)
}

/** A role that the fleet has. */
export function asFleetRole(role: RoleName): FleetRoleName {
  if (role === 'limited_collaborator') throw new Error('the fleet has no limited collaborators')
  return role
}
