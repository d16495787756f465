import type { SubnetPoolUtilization, SubnetPoolWithUse } from '@gantry/api/network/subnet-pool'
import { addressCount } from '@gantry/api/network/ip-pool.rules'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { heldBlocks } from '../external-subnets/held.ts'
import { resourceView } from '../../lookup/views.ts'
import type { Input } from '../../pipeline/implement.ts'

interface Use {
  utilization: SubnetPoolUtilization
  members: number
}

/** By pool, with one query for all members and one for all external subnets. */
async function usesOf(db: Reader, poolIds: readonly string[]): Promise<(poolId: string) => Use> {
  if (poolIds.length === 0) return () => unused
  const members = await db
    .selectFrom('subnet_pool_member')
    .select(['subnet_pool_id', 'first_key', 'last_key'])
    .where('subnet_pool_id', 'in', poolIds)
    .execute()
  const { rows } = await sql<{ subnet_pool_id: string; sum: string }>`
    SELECT subnet_pool_id, sum(last_int - first_int + 1)::text AS sum FROM ${heldBlocks} held
    WHERE subnet_pool_id IN (${sql.join(poolIds)}) GROUP BY subnet_pool_id`.execute(db)
  const allocated = new Map(rows.map(({ subnet_pool_id, sum }) => [subnet_pool_id, BigInt(sum)]))
  return (poolId) => {
    const own = members.filter(({ subnet_pool_id }) => subnet_pool_id === poolId)
    const capacity = own.reduce((sum, { first_key, last_key }) => sum + addressCount(first_key, last_key), 0n)
    const remaining = capacity - (allocated.get(poolId) ?? 0n)
    return {
      utilization: { capacity: Number(capacity), remaining: Number(remaining) },
      members: own.length,
    }
  }
}

const unused: Use = { utilization: { capacity: 0, remaining: 0 }, members: 0 }

export async function viewUtilization(cx: Cx, at: Selectors): Promise<SubnetPoolUtilization> {
  const { row } = await need(cx, 'subnet_pool', at, 'read')
  return (await usesOf(cx.db, [row.id]))(row.id).utilization
}

/** The usage shown in the list of pools, in three queries per page. */
export async function listWithUse(
  cx: Cx,
  { query }: Input<'subnetPoolUseList'>,
): Promise<{ items: SubnetPoolWithUse[]; next_page: string | null }> {
  const { items, next_page } = await filteredPage<'subnet_pool', typeof query, Row<'subnet_pool'>>(
    cx,
    ops.subnetPoolUseList,
    'subnet-pool',
    query,
    (row) => row,
  )
  const ids = items.map(({ id }) => id)
  const [useOf, links] = [await usesOf(cx.db, ids), await linkCounts(cx.db, ids)]
  const view = (row: Row<'subnet_pool'>): SubnetPoolWithUse =>
    resourceView(row, {
      ip_version: row.ip_version,
      ...useOf(row.id),
      ...(links.get(row.id) ?? { silos: 0, default_silos: 0 }),
    })
  return { items: items.map(view), next_page }
}

async function linkCounts(db: Reader, poolIds: readonly string[]) {
  if (poolIds.length === 0) return new Map<string, { silos: number; default_silos: number }>()
  const { rows } = await sql<{ subnet_pool_id: string; silos: number; default_silos: number }>`
    SELECT subnet_pool_id, count(*)::int8 AS silos, count(*) FILTER (WHERE is_default)::int8 AS default_silos
    FROM subnet_pool_silo WHERE subnet_pool_id IN (${sql.join(poolIds)}) GROUP BY subnet_pool_id`.execute(db)
  return new Map(rows.map(({ subnet_pool_id, ...counts }) => [subnet_pool_id, counts]))
}
