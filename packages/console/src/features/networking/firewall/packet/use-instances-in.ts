import * as op from '@gantry/api/client/operations.gen'
import { useQueries, useQuery } from '@tanstack/react-query'
import { allQuery } from '../../../../data/queries.ts'
import { allInstances } from '../../../instances/queries.ts'
import { allSubnets } from '../../queries.ts'

/** Names of the instances with an interface in a VPC, by what its subnets hold; undefined until that is known. */
export function useInstancesIn(project: string, vpc: string): string[] | undefined {
  const { data: subnets } = useQuery(allSubnets(project, vpc))
  const { data: instances } = useQuery(allInstances(project))
  return useQueries({
    queries: (subnets ?? []).map(({ id }) =>
      allQuery(op.vpcSubnetListNetworkInterfaces, { path: { subnet: id }, query: {} }),
    ),
    combine: (found) => {
      if (!subnets || !instances || found.some(({ data }) => !data)) return undefined
      const ids = new Set(found.flatMap(({ data = [] }) => data.map(({ instanceId }) => instanceId)))
      return instances.filter(({ id }) => ids.has(id)).map(({ name }) => name)
    },
  })
}
