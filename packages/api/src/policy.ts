import { z } from 'zod'
import { policyMaxAssignments, roleOrder } from './roles.rules.ts'
import { named, Uuid } from './schema.ts'

export const IdentityType = named('IdentityType', z.enum(['silo_user', 'silo_group']))

/** A policy of one level; the three levels differ in name only. */
export function policyOf(level: 'Fleet' | 'Silo' | 'Project') {
  const Role = named(`${level}Role`, z.enum(roleOrder))
  const Assignment = named(
    `${level}RoleRoleAssignment`,
    z.object({ identity_id: Uuid, identity_type: IdentityType, role_name: Role }),
  )
  return named(
    `${level}RolePolicy`,
    z.object({
      role_assignments: z
        .array(Assignment)
        .max(
          policyMaxAssignments,
          `invalid length, expected a list of at most ${policyMaxAssignments} role assignments`,
        ),
    }),
  )
}

export const SiloRolePolicy = policyOf('Silo')
export const ProjectRolePolicy = policyOf('Project')
/** One shape serves all levels on the inside. */
export type RolePolicy = z.infer<typeof ProjectRolePolicy>
export type RoleAssignment = RolePolicy['role_assignments'][number]
