import { useQuery } from '@tanstack/react-query'
import { allInstances } from '../../../instances/queries.ts'
import { allSubnets } from '../../queries.ts'
import { interfacesOf } from '../../vpcs/queries.ts'

/** Names of the instances with an interface in a VPC, by what its subnets hold; undefined until that is known. */
export function useInstancesIn(project: string, vpc: string): string[] | undefined {
  const { data: subnets } = useQuery(allSubnets(project, vpc))
  const { data: interfaces } = useQuery(interfacesOf(subnets))
  const { data: instances } = useQuery(allInstances(project))
  if (!interfaces || !instances) return undefined
  const ids = new Set(interfaces.map(({ instanceId }) => instanceId))
  return instances.filter(({ id }) => ids.has(id)).map(({ name }) => name)
}
