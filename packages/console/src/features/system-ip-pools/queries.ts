import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { allQuery, listQuery, metaOf, opQuery, readAll, rowsOf } from '#/data/queries.ts'
import { findQuery } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'
import { readEach } from '#/kit/page/read-each.ts'

export type Pool = OutputOf<'ipPoolView'>
export type PoolWithUse = OutputOf<'ipPoolUseList'>['items'][number]
export type PoolUtilization = OutputOf<'ipPoolUtilizationView'>
export type PoolRange = OutputOf<'ipPoolRangeList'>['items'][number]
export type PoolAddress = OutputOf<'ipPoolAddressList'>['items'][number]

export const poolAt = (pool: string) => ({ path: { pool } })

const unknownUse = {
  utilization: {
    capacity: Number.NaN,
    remaining: Number.NaN,
    ipv4: { allocated: Number.NaN, capacity: Number.NaN },
    ipv6: { allocated: '0', capacity: '0' },
  },
  ranges: Number.NaN,
  silos: Number.NaN,
  defaultSilos: Number.NaN,
}

/** Addresses of each version; servers of the base API alone count them in all. */
export const countsOf = ({ capacity, remaining, ipv4, ipv6 }: PoolWithUse['utilization']) => ({
  ipv4: ipv4 ?? { allocated: capacity - remaining, capacity },
  ipv6: ipv6 ?? { allocated: '0', capacity: '0' },
})

/** The base API reports the use of one pool at a time: the counts are then NaN, and `usesOf` reads them. */
const plainPools = rowsOf<'ipPoolUseList', 'ipPoolList'>(op.ipPoolList, (pool) => ({
  ...pool,
  ...unknownUse,
}))
/** With the URL's filter and order, which the base API has not. */
export const foundPools = (search: FindSearch) =>
  listQuery(op.ipPoolUseList, { query: findQuery(search) }, { fallback: plainPools })
export type PoolUse = Pick<PoolWithUse, 'utilization' | 'silos'>

/** The use of the pools on a page, for servers with the base API alone. */
export const usesOf = (pools: readonly PoolWithUse[]) => {
  const ids = pools.map(({ id }) => id)
  return queryOptions<ReadonlyMap<string, PoolUse>, Failure>({
    queryKey: [op.ipPoolUtilizationView.name, { ids }],
    meta: metaOf(op.ipPoolUseList),
    queryFn: ({ signal }) =>
      readEach(ids, signal, async (pool, either): Promise<PoolUse> => {
        const [utilization, silos] = await Promise.all([
          call(op.ipPoolUtilizationView, poolAt(pool), { signal: either }),
          readAll(op.ipPoolSiloList, poolAt(pool), either),
        ])
        return { utilization: utilization.data, silos: silos.length }
      }),
    enabled: ids.length > 0 && isAbsent(op.ipPoolUseList),
  })
}

export const poolView = (pool: string) => opQuery(op.ipPoolView, poolAt(pool))
export const poolUtilization = (pool: string) => opQuery(op.ipPoolUtilizationView, poolAt(pool))
export const poolRanges = (pool: string) => listQuery(op.ipPoolRangeList, poolAt(pool))
/** The base API lists links of discoverable silos only. */
const linksOfDiscoverable = rowsOf<'ipPoolLinkList', 'ipPoolSiloList'>(op.ipPoolSiloList, (link) => link)
export const poolSilos = (pool: string) =>
  listQuery(op.ipPoolLinkList, poolAt(pool), { fallback: linksOfDiscoverable })
export const allPoolSilos = (pool: string) =>
  allQuery<'ipPoolLinkList' | 'subnetPoolSiloList'>(op.ipPoolLinkList, poolAt(pool), linksOfDiscoverable)
export const poolAddresses = (pool: string) => listQuery(op.ipPoolAddressList, poolAt(pool))
/** The pools of a silo, including which is the default. */
export const poolsOfSilo = (silo: string) =>
  allQuery<'siloIpPoolList' | 'siloSubnetPoolList'>(op.siloIpPoolList, { path: { silo } })
