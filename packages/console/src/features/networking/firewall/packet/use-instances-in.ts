import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '../../../common/choices-of.ts'
import { allInstances } from '../../../instances/queries.ts'
import { allSubnets } from '../../queries.ts'
import { interfacesOf } from '../../vpcs/queries.ts'

/** Instances with an interface in a VPC, by what its subnets hold; their names are undefined until that is known. */
export function useInstancesIn(project: string, vpc: string) {
  const subnets = useQuery(allSubnets(project, vpc))
  const interfaces = useQuery(interfacesOf(subnets.data))
  const instances = useQuery(allInstances(project))
  const ids = interfaces.data && new Set(interfaces.data.map(({ instanceId }) => instanceId))
  const names = ids && instances.data?.filter(({ id }) => ids.has(id)).map(({ name }) => name)
  return { names, choices: choicesOf(subnets, interfaces, instances) }
}
