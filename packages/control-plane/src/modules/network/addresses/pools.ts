import type { PoolSelector } from '@gantry/api/network/pool-selector'
import type { SiloIpPool } from '@gantry/api/people/silo'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { sql, type SqlBool } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reader } from '@gantry/control-plane/db/database'
import { addressOf } from '@gantry/control-plane/lookup/need'
import { type ListQuery, listPage } from '@gantry/control-plane/list/page'
import { invalid, Refusal } from '@gantry/control-plane/context/refusal'
import { siloIpPoolView } from '../records/views.ts'

const linkedPools = (db: Reader, siloId: string) =>
  db
    .selectFrom('ip_pool')
    .innerJoin('ip_pool_silo', 'ip_pool_silo.ip_pool_id', 'ip_pool.id')
    .selectAll('ip_pool')
    .where('ip_pool_silo.silo_id', '=', siloId)
    .where('ip_pool.time_deleted', 'is', null)

/** Addresses of machines come from pools of these. */
const unicastPools = (db: Reader, siloId: string) =>
  linkedPools(db, siloId).where('ip_pool.pool_type', '=', 'unicast')

const defaultPool = (db: Reader, siloId: string) =>
  unicastPools(db, siloId).where('ip_pool_silo.is_default', '=', true)

export const findDefaultPool = (db: Reader, siloId: string): Promise<Row<'ip_pool'> | undefined> =>
  defaultPool(db, siloId).executeTakeFirst()

/** Waits for a change of the pool, such as its deletion, and keeps it unchanged until the transaction ends. */
export const holdDefaultPool = ({ read }: Change, siloId: string): Promise<Row<'ip_pool'> | undefined> =>
  defaultPool(read, siloId).forShare(['ip_pool']).executeTakeFirst()

/** The pool that a request names, or undefined for the silo's default one. */
export function poolNamed(selector: PoolSelector): string | undefined {
  if (selector.type === 'explicit') return selector.pool
  if (selector.ip_version === 'v6')
    throw invalid('addresses of IPv6 are not given out', 'Ask for `v4`, or name a pool.')
  return undefined
}

/** A pool with its ranges of IPv4 addresses in ascending order. */
export interface LockedPool {
  id: string
  name: string
  ranges: readonly PoolRange[]
}

export interface PoolRange {
  id: string
  first_int: number
  last_int: number
  free_ports_from: number
  free_addresses_from: number
}

/**
 * Locks a pool and its ranges, by default the silo's default pool. Concurrent allocations then choose one after
 * the other, and a concurrent release waits until the search has stored its progress.
 */
export async function lockPool({ read }: Change, siloId: string, nameOrId?: string): Promise<LockedPool> {
  const pools =
    nameOrId === undefined
      ? defaultPool(read, siloId)
      : linkedPool(read, siloId, nameOrId).where('ip_pool.pool_type', '=', 'unicast')
  const rows = await pools
    .innerJoin('ip_pool_range as r', 'r.ip_pool_id', 'ip_pool.id')
    .select(['r.id as range_id', 'r.first_int', 'r.last_int', 'r.free_ports_from', 'r.free_addresses_from'])
    .where('r.first_int', 'is not', null)
    .$narrowType<{ first_int: number; last_int: number }>()
    .orderBy('r.first_int')
    .forUpdate(['ip_pool', 'r'])
    // Last, so that a pool that was unlinked while its lock was waited for is not found.
    .forKeyShare(['ip_pool_silo'])
    .execute()
  const pool = rows[0] ?? (await pools.executeTakeFirst())
  if (pool)
    return {
      id: pool.id,
      name: pool.name,
      ranges: rows.map(({ range_id, ...range }) => ({ ...range, id: range_id })),
    }
  if (nameOrId !== undefined) throw addressOf('ip-pool', nameOrId)
  throw new Refusal('ObjectNotFound', 'not found: default IP pool for current silo', {
    help: 'Ask an operator to link an IP pool to this silo as its default.',
  })
}

/** A pool that is not linked to the silo is treated as missing. */
export async function needLinkedPool(db: Reader, siloId: string, nameOrId: string): Promise<Row<'ip_pool'>> {
  const pool = await linkedPool(db, siloId, nameOrId).executeTakeFirst()
  if (!pool) throw addressOf('ip-pool', nameOrId)
  return pool
}

/** The pool of the silo that has the address in one of its ranges. */
export const poolOfAddress = (
  db: Reader,
  siloId: string,
  ip_int: number,
): Promise<Row<'ip_pool'> | undefined> =>
  unicastPools(db, siloId)
    .innerJoin('ip_pool_range', 'ip_pool_range.ip_pool_id', 'ip_pool.id')
    .where('ip_pool_range.first_int', '<=', ip_int)
    .where('ip_pool_range.last_int', '>=', ip_int)
    .executeTakeFirst()

const linkedPool = (db: Reader, siloId: string, nameOrId: string) =>
  isUuid(nameOrId)
    ? linkedPools(db, siloId).where('ip_pool.id', '=', canonicalUuid(nameOrId))
    : linkedPools(db, siloId).where('ip_pool.name', '=', nameOrId)

interface PoolFilter {
  ip_version?: 'v4' | 'v6' | null | undefined
  pool_type?: 'unicast' | 'multicast' | null | undefined
}

/** A condition on pools `t`. */
export const oneOfPools = ({ ip_version, pool_type }: PoolFilter) =>
  sql<SqlBool>`(${ip_version ?? null}::text IS NULL OR t.ip_version = ${ip_version ?? null})
    AND (${pool_type ?? null}::text IS NULL OR t.pool_type = ${pool_type ?? null})`

/** The default pools of a silo, of which it has one of each type. */
export async function defaultsOf(db: Reader, siloId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('ip_pool_silo')
    .select('ip_pool_id')
    .where('silo_id', '=', siloId)
    .where('is_default', '=', true)
    .execute()
  return new Set(rows.map(({ ip_pool_id }) => ip_pool_id))
}

/** Pools from which a silo may allocate, one of each type the default. */
export async function listLinkedPools(
  cx: Cx,
  { ip_version, pool_type, ...query }: ListQuery & PoolFilter,
  siloId: string,
): Promise<{ items: SiloIpPool[]; next_page: string | null }> {
  const defaults = await defaultsOf(cx.db, siloId)
  const linked = sql`EXISTS (SELECT 1 FROM ip_pool_silo s WHERE s.ip_pool_id = t.id AND s.silo_id = ${siloId})`
  return listPage(
    cx,
    'ip_pool',
    query,
    () => ({ where: {}, and: sql<SqlBool>`${linked} AND ${oneOfPools({ ip_version, pool_type })}` }),
    (row) => siloIpPoolView(row, defaults.has(row.id)),
  )
}
