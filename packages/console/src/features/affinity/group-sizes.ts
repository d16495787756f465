import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../data/client.ts'
import { isAbsent } from '../../data/extensions.ts'
import type { Failure } from '../../data/failure.ts'
import { metaOf } from '../../data/queries.ts'
import type { AntiAffinityGroup } from './queries.ts'

/** Members by the id of the group; groups without any may be missing. */
export type GroupSizes = ReadonlyMap<string, number>

/** As many as a server without the extension is asked at the same time. */
const atOnce = 4

/** How many members the groups on a page have: one request, or where the server lacks that, a few at a time. */
export const groupSizes = (project: string, shown: readonly Pick<AntiAffinityGroup, 'id'>[]) => {
  const ids = shown.map(({ id }) => id)
  return queryOptions<GroupSizes, Failure>({
    queryKey: [op.antiAffinityGroupSizeList.name, { query: { project }, ids }],
    meta: metaOf(op.antiAffinityGroupSizeList),
    queryFn: async ({ signal }) => {
      try {
        const { data } = await call(op.antiAffinityGroupSizeList, { query: { project } }, { signal })
        return new Map(data.items.map(({ groupId, members }) => [groupId, members]))
      } catch (error) {
        if (!isAbsent(op.antiAffinityGroupSizeList)) throw error
        return countEach(ids, (id) => countMembers(id, signal))
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

/** One after the other, in a few rows that do so side by side. */
export async function countEach(
  ids: readonly string[],
  count: (id: string) => Promise<number>,
): Promise<GroupSizes> {
  const sizes = new Map<string, number>()
  const waiting = ids.values()
  const work = async () => {
    for (const id of waiting) sizes.set(id, await count(id))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return sizes
}
