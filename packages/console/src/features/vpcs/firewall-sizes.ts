import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { metaOf } from '#/data/queries.ts'
import { countEach, type Counts } from '#/features/common/count-each.ts'
import type { Vpc } from './queries.ts'

/**
 * Rule counts of the VPCs on a page: one request, or several with limited concurrency where the server lacks that
 * operation.
 */
export const firewallSizes = (project: string, shown: readonly Pick<Vpc, 'id'>[]) => {
  const ids = shown.map(({ id }) => id)
  return queryOptions<Counts, Failure>({
    queryKey: [op.vpcFirewallSizeList.name, { query: { project }, ids }],
    meta: metaOf(op.vpcFirewallSizeList),
    queryFn: async ({ signal }) => {
      try {
        const { data } = await call(op.vpcFirewallSizeList, { query: { project } }, { signal })
        return new Map(data.items.map(({ vpcId, rules }) => [vpcId, rules]))
      } catch (error) {
        if (!isAbsent(op.vpcFirewallSizeList)) throw error
        return countEach(ids, signal, (id) => countRules(id, signal))
      }
    },
    enabled: ids.length > 0,
  })
}

async function countRules(vpc: string, signal: AbortSignal): Promise<number> {
  const { data } = await call(op.vpcFirewallRulesView, { query: { vpc } }, { signal })
  return data.rules.length
}
