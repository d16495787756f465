import { z } from 'zod'
import { policyMaxAssignments, rolesOn } from '../base/roles.rules.ts'
import { named, Uuid } from '../schema.ts'

export const IdentityType = named('IdentityType', z.enum(['silo_user', 'silo_group']))

export const FleetRole = named('FleetRole', z.enum(rolesOn.fleet))
export const SiloRole = named('SiloRole', z.enum(rolesOn.silo))
const ProjectRole = named('ProjectRole', z.enum(rolesOn.project))

/** A policy of one level; the three levels differ in name only. */
function policyOf<Role extends z.ZodEnum>(level: 'Fleet' | 'Silo' | 'Project', Role: Role) {
  const Assignment = named(
    `${level}RoleRoleAssignment`,
    z.object({ identity_id: Uuid, identity_type: IdentityType, role_name: Role }),
  )
  return named(
    `${level}RolePolicy`,
    z.object({
      role_assignments: z.array(Assignment).max(policyMaxAssignments, {
        error: ({ input }) =>
          `invalid length ${(input as unknown[]).length}, expected a list of at most ${policyMaxAssignments} role assignments`,
      }),
    }),
  )
}

export const FleetRolePolicy = policyOf('Fleet', FleetRole)
export const SiloRolePolicy = policyOf('Silo', SiloRole)
export const ProjectRolePolicy = policyOf('Project', ProjectRole)
/** Internally, all levels share one shape. */
export type RolePolicy = z.infer<typeof ProjectRolePolicy>
export type FleetPolicy = z.infer<typeof FleetRolePolicy>
export type RoleAssignment = RolePolicy['role_assignments'][number]
