import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import { type ListQuery, listQuery } from '#/data/queries.ts'
import { findQuery } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

/**
 * A project's instances with the URL's filters and order. On servers that cannot sort and filter, a link with filters
 * shows the plain list.
 */
export const foundInstances = (project: string, search: FindSearch): ListQuery<'instanceList'> => {
  const query = { project, ...findQuery(search) }
  const found = listQuery(
    op.instanceSortedList,
    { path: {}, query },
    {
      fallback: ({ query: { limit, pageToken } = {} }, options) =>
        call(op.instanceList, { query: { project, limit, pageToken } }, options),
    },
  )
  // The rows have the same type; only the operation differs.
  return found as unknown as ListQuery<'instanceList'>
}

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
