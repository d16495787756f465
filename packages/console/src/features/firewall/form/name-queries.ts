import { allInstances } from '#/features/instances/queries.ts'
import { allSubnets, allVpcs } from '#/features/vpcs/queries.ts'

/** The names that a rule can refer to. The form does not wait for them. */
export const nameQueries = (project: string, vpc: string) => [
  allVpcs(project),
  allSubnets(project, vpc),
  allInstances(project),
]
