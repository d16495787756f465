import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { metaOf } from '#/data/queries.ts'
import { countEach, type Counts } from '#/features/common/count-each.ts'
import type { AntiAffinityGroup } from './queries.ts'

/**
 * Member counts of the groups on a page: one request, or several with limited concurrency where the server lacks that
 * operation.
 */
export const groupSizes = (project: string, shown: readonly Pick<AntiAffinityGroup, 'id'>[]) => {
  const ids = shown.map(({ id }) => id)
  return queryOptions<Counts, Failure>({
    queryKey: [op.antiAffinityGroupSizeList.name, { query: { project }, ids }],
    meta: metaOf(op.antiAffinityGroupSizeList),
    queryFn: async ({ signal }) => {
      try {
        const { data } = await call(op.antiAffinityGroupSizeList, { query: { project } }, { signal })
        return new Map(data.items.map(({ groupId, members }) => [groupId, members]))
      } catch (error) {
        if (!isAbsent(op.antiAffinityGroupSizeList)) throw error
        return countEach(ids, signal, (id) => countMembers(id, signal))
      }
    },
    enabled: ids.length > 0,
  })
}

async function countMembers(antiAffinityGroup: string, signal: AbortSignal): Promise<number> {
  const input = { path: { antiAffinityGroup }, query: { limit: 1000 } }
  const { data } = await call(op.antiAffinityGroupMemberList, input, { signal })
  return data.items.length
}
