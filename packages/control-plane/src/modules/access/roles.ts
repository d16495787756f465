import type { EffectiveRoles } from '@gantry/api/permission'
import { type Assignment, explainRoles } from '../../authz/effective.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'

/** What somebody looks at when they ask for the roles of others. */
export interface Onlooker {
  silo: Row<'silo'>
  projects: readonly Row<'project'>[]
}

/**
 * What these assignments amount to, as far as the caller may read the policies that they come from: the silo's is for
 * everybody of the silo, the projects are those that the caller was found to read, and the fleet's is asked for here.
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
