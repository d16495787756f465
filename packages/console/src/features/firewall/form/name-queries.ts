import { allInstances } from '#/features/instances/queries.ts'
import { allSubnets, allVpcs } from '#/features/vpcs/queries.ts'

/** What a rule can name. The form does not wait for it. */
export const nameQueries = (project: string, vpc: string) => [
  allVpcs(project),
  allSubnets(project, vpc),
  allInstances(project),
]
