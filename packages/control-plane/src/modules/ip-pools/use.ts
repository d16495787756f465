import type { IpPoolUtilization, IpPoolWithUse } from '@gantry/api/network/ip-pool'
import { addressCount } from '@gantry/api/network/ip-pool.rules'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Selectors } from '../../lookup/need.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { resourceView } from '../../lookup/views.ts'
import type { Input } from '../../pipeline/implement.ts'
import { assignmentOf, needPool } from './pools.ts'

interface Use {
  utilization: IpPoolUtilization
  ranges: number
}

/** By pool, with one query for all ranges and one for all addresses. */
export async function usesOf(db: Reader, poolIds: readonly string[]): Promise<Map<string, Use>> {
  if (poolIds.length === 0) return new Map()
  const ranges = await db
    .selectFrom('ip_pool_range')
    .select(['ip_pool_id', 'first_key', 'last_key'])
    .where('ip_pool_id', 'in', poolIds)
    .execute()
  const { rows } = await sql<{ ip_pool_id: string; ipv4: number; ipv6: number }>`
    SELECT ip_pool_id, count(DISTINCT ip_int)::int8 AS ipv4, count(*) FILTER (WHERE ip_int IS NULL)::int8 AS ipv6
    FROM external_ip
    WHERE time_deleted IS NULL AND (kind <> 'ephemeral' OR instance_id IS NOT NULL OR probe_id IS NOT NULL)
      AND ip_pool_id IN (${sql.join(poolIds)}) GROUP BY ip_pool_id`.execute(db)
  const allocated = new Map(rows.map(({ ip_pool_id, ...counts }) => [ip_pool_id, counts]))
  return new Map(
    poolIds.map((id) => {
      const own = ranges.filter(({ ip_pool_id }) => ip_pool_id === id)
      const capacity = (version: string): bigint =>
        own
          .filter(({ first_key }) => first_key.startsWith(version))
          .reduce((sum, { first_key, last_key }) => sum + addressCount(first_key, last_key), 0n)
      const capacities = { ipv4: capacity('4'), ipv6: capacity('6') }
      return [id, { utilization: utilizationOf(allocated.get(id) ?? none, capacities), ranges: own.length }]
    }),
  )
}

type OfEach<Count> = Record<'ipv4' | 'ipv6', Count>

/** Of IPv6 addresses as text, which may be more than numbers are exact for. */
function utilizationOf(allocated: OfEach<number>, { ipv4, ipv6 }: OfEach<bigint>): IpPoolUtilization {
  const capacity = Number(ipv4 + ipv6)
  return {
    capacity,
    remaining: capacity - allocated.ipv4 - allocated.ipv6,
    ipv4: { allocated: allocated.ipv4, capacity: Number(ipv4) },
    ipv6: { allocated: String(allocated.ipv6), capacity: String(ipv6) },
  }
}

const none: OfEach<number> = { ipv4: 0, ipv6: 0 }
const unused: Use = { utilization: utilizationOf(none, { ipv4: 0n, ipv6: 0n }), ranges: 0 }

export async function viewUtilization(cx: Cx, at: Selectors): Promise<IpPoolUtilization> {
  const { id } = await needPool(cx, at, 'read')
  return ((await usesOf(cx.db, [id])).get(id) ?? unused).utilization
}

/** The usage shown in the list of pools, in three queries per page. */
export async function listWithUse(
  cx: Cx,
  { query }: Input<'ipPoolUseList'>,
): Promise<{ items: IpPoolWithUse[]; next_page: string | null }> {
  const { items, next_page } = await filteredPage<'ip_pool', typeof query, Row<'ip_pool'>>(
    cx,
    ops.ipPoolUseList,
    'ip-pool',
    query,
    (row) => row,
  )
  const ids = items.map(({ id }) => id)
  const [uses, links] = [await usesOf(cx.db, ids), await linkCounts(cx.db, ids)]
  const view = (row: Row<'ip_pool'>): IpPoolWithUse =>
    resourceView(row, {
      assignment: assignmentOf(row),
      ...(uses.get(row.id) ?? unused),
      ...(links.get(row.id) ?? { silos: 0, default_silos: 0 }),
    })
  return { items: items.map(view), next_page }
}

async function linkCounts(db: Reader, poolIds: readonly string[]) {
  if (poolIds.length === 0) return new Map<string, { silos: number; default_silos: number }>()
  const { rows } = await sql<{ ip_pool_id: string; silos: number; default_silos: number }>`
    SELECT ip_pool_id, count(*)::int8 AS silos, count(*) FILTER (WHERE is_default)::int8 AS default_silos
    FROM ip_pool_silo WHERE ip_pool_id IN (${sql.join(poolIds)}) GROUP BY ip_pool_id`.execute(db)
  return new Map(rows.map(({ ip_pool_id, ...counts }) => [ip_pool_id, counts]))
}
