import type { EffectiveRoles } from '@gantry/api/base/permission'
import { type Assignment, explainRoles } from '../../authz/effective.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'

/** The caller who reads the roles of others. */
export interface RoleReader {
  silo: Row<'silo'>
  projects: readonly Row<'project'>[]
}

/**
 * The effective roles from these assignments, limited to policies that the caller may read: the silo's is
 * readable for all its users, projects are already filtered, and the fleet's is checked here.
 */
export function describeRoles(
  cx: Cx,
  silo: Row<'silo'>,
  held: readonly Assignment[],
  projects: readonly Row<'project'>[],
): EffectiveRoles {
  const roles = explainRoles(held, silo.mapped_fleet_roles)
  return {
    fleet: cx.can('read', { class: 'fleet' }) ? roles.fleet : null,
    silo: roles.silo,
    every_project: roles.everyProject,
    projects: projects.map(({ id, name }) => ({ id, name, ...roles.inProject(id) })),
  }
}
