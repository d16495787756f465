import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { call } from '#/data/client.ts'

/** Whether the server can sort and filter instances. A request for one row tells; until it does, ours is assumed. */
export function useCanFind(project: string): boolean {
  const { isError } = useQuery({
    // The answer is about the server, so no change of an instance makes it stale.
    queryKey: ['canFindInstances'],
    queryFn: () => call(op.instanceSortedList, { path: {}, query: { project, limit: 1 } }),
    enabled: !isAbsent(op.instanceSortedList),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return !isError && !isAbsent(op.instanceSortedList)
}
