import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery, rowsOf } from '#/data/queries.ts'
import { findQuery } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type SubnetPool = OutputOf<'subnetPoolView'>
export type SubnetPoolWithUse = OutputOf<'subnetPoolUseList'>['items'][number]
export type SubnetPoolMember = OutputOf<'subnetPoolMemberList'>['items'][number]

export const poolAt = (pool: string) => ({ path: { pool } })

/** The base API reports the use of one pool at a time: the counts are then NaN, and are not shown. */
const unknownUse = {
  utilization: { capacity: Number.NaN, remaining: Number.NaN },
  members: Number.NaN,
  silos: Number.NaN,
  defaultSilos: Number.NaN,
}

const plainPools = rowsOf<'subnetPoolUseList', 'subnetPoolList'>(op.subnetPoolList, (pool) => ({
  ...pool,
  ...unknownUse,
}))
/** With the URL's filter and order, which the base API has not. */
export const foundSubnetPools = (search: FindSearch) =>
  listQuery(op.subnetPoolUseList, { query: findQuery(search) }, { fallback: plainPools })
export const subnetPoolView = (pool: string) => opQuery(op.subnetPoolView, poolAt(pool))
export const subnetPoolUtilization = (pool: string) => opQuery(op.subnetPoolUtilizationView, poolAt(pool))
export const poolMembers = (pool: string) => listQuery(op.subnetPoolMemberList, poolAt(pool))
export const poolSilos = (pool: string) => listQuery(op.subnetPoolSiloList, poolAt(pool))
export const allPoolSilos = (pool: string) =>
  allQuery<'ipPoolLinkList' | 'subnetPoolSiloList'>(op.subnetPoolSiloList, poolAt(pool))
/** The pools of a silo, including which are its defaults. */
export const poolsOfSilo = (silo: string) =>
  allQuery<'siloIpPoolList' | 'siloSubnetPoolList'>(op.siloSubnetPoolList, { path: { silo } })
