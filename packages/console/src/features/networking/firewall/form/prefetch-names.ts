import type { QueryClient } from '@tanstack/react-query'
import { allInstances } from '../../../instances/queries.ts'
import { allSubnets, allVpcs } from '../../queries.ts'

/** Begins to read what a rule can name, so that it is there when it is chosen from; the form does not wait for it. */
export function prefetchNames(queryClient: QueryClient, project: string, vpc: string): void {
  void queryClient.prefetchQuery(allVpcs(project))
  void queryClient.prefetchQuery(allSubnets(project, vpc))
  void queryClient.prefetchQuery(allInstances(project))
}
