import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { call } from '#/data/client.ts'

/**
 * Whether the server can sort and filter instances, found out by a request for one row. Assumed true until the
 * answer.
 */
export function useCanFind(project: string): boolean {
  const { isError } = useQuery({
    // The answer describes the server, so no change to an instance makes it stale.
    queryKey: ['canFindInstances'],
    queryFn: () => call(op.instanceSortedList, { path: {}, query: { project, limit: 1 } }),
    enabled: !isAbsent(op.instanceSortedList),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return !isError && !isAbsent(op.instanceSortedList)
}
