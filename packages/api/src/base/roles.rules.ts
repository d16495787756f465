/** Strongest first. Fleet, silo and project share these three names. */
export const roleOrder = ['admin', 'collaborator', 'viewer'] as const
export type RoleName = (typeof roleOrder)[number]

/** Maximum number of assignments in one policy (control plane reference, A 6.6). */
export const policyMaxAssignments = 64

export function strongestRole(roles: Iterable<RoleName>): RoleName | undefined {
  const held = new Set(roles)
  return roleOrder.find((role) => held.has(role))
}

/** Whether `held` is `wanted` or stronger. */
export function roleCovers(held: RoleName | undefined, wanted: RoleName): boolean {
  return held !== undefined && roleOrder.indexOf(held) <= roleOrder.indexOf(wanted)
}
