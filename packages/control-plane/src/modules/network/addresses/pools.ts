import type { PoolSelector } from '@gantry/api/network/pool-selector'
import type { SiloIpPool } from '@gantry/api/people/silo'
import type { IpAddress } from '@gantry/api/base/ip.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
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

type IpVersion = Row<'ip_pool'>['ip_version']

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

/** Of one IP version, or of each that the silo has one of. */
function defaultPools(db: Reader, siloId: string, version?: IpVersion | null) {
  const pools = unicastPools(db, siloId).where('ip_pool_silo.is_default', '=', true)
  return version ? pools.where('ip_pool_silo.ip_version', '=', version) : pools
}

/** Waits for changes of the pools, such as a deletion, and keeps them unchanged until the transaction ends. */
export const holdDefaultPools = ({ read }: Change, siloId: string): Promise<Row<'ip_pool'>[]> =>
  defaultPools(read, siloId).orderBy('ip_pool.ip_version').forShare(['ip_pool']).execute()

/** The pool of the shared addresses of outgoing connections, which are translated for IPv4 alone. */
export const poolOfPorts: PoolSelector = { type: 'auto', ip_version: 'v4' }

const selected = (db: Reader, siloId: string, selector: PoolSelector) =>
  selector.type === 'explicit'
    ? linkedPool(db, siloId, selector.pool).where('ip_pool.pool_type', '=', 'unicast')
    : defaultPools(db, siloId, selector.ip_version)

/** The pool of unicast addresses that a request names, or asks for by its version. */
export async function selectedPool(
  db: Reader,
  siloId: string,
  selector: PoolSelector,
): Promise<Row<'ip_pool'>> {
  const [pool, another] = await selected(db, siloId, selector)
    .orderBy('ip_pool.ip_version')
    .limit(2)
    .execute()
  if (!pool) throw missing(selector)
  if (another) throw ambiguous(pool, another)
  return pool
}

/** The default pool itself where a request leaves open of which version. */
async function unambiguous(db: Reader, siloId: string, selector: PoolSelector): Promise<PoolSelector> {
  if (selector.type === 'explicit' || selector.ip_version) return selector
  return { type: 'explicit', pool: (await selectedPool(db, siloId, selector)).id }
}

function missing(selector: PoolSelector): Refusal {
  if (selector.type === 'explicit') return addressOf('ip-pool', selector.pool)
  const [wanted, help] =
    selector.ip_version === 'v6' ? ['unicast IPv6', 'an IP pool of IPv6'] : ['IP', 'an IP pool']
  return new Refusal('ObjectNotFound', `not found: default ${wanted} pool for current silo`, {
    help: `Ask an operator to link ${help} to this silo as its default.`,
  })
}

const ambiguous = (one: Named, other: Named): Refusal =>
  invalid(
    'the silo has a default IP pool of each IP version',
    `Name a pool, such as ${one.name} or ${other.name}, or the IP version: \`v4\` or \`v6\`.`,
  )

type Named = Pick<Row<'ip_pool'>, 'name'>

/** A pool with its ranges in ascending order. */
export interface LockedPool extends Pick<Row<'ip_pool'>, 'id' | 'name' | 'ip_version'> {
  /** Of IPv4 addresses. */
  ranges: readonly PoolRange[]
  ipv6Ranges: readonly Ipv6Range[]
}

type RangeColumns = Pick<
  Row<'ip_pool_range'>,
  'id' | 'first_key' | 'last_key' | 'first_int' | 'last_int' | 'free_ports_from' | 'free_addresses_from'
>
export type PoolRange = RangeColumns & { first_int: number; last_int: number }
export type Ipv6Range = RangeColumns & { first_int: null }

const isIpv4 = (range: RangeColumns): range is PoolRange => range.first_int !== null
const isIpv6 = (range: RangeColumns): range is Ipv6Range => range.first_int === null

/**
 * Locks a pool and its ranges. Concurrent allocations then choose one after the other, and a concurrent release waits
 * until the search has stored its progress.
 */
export async function lockPool(
  { read }: Change,
  siloId: string,
  selector: PoolSelector,
): Promise<LockedPool> {
  const pools = selected(read, siloId, await unambiguous(read, siloId, selector))
  const rows = await pools
    .innerJoin('ip_pool_range as r', 'r.ip_pool_id', 'ip_pool.id')
    .select([
      'r.id as range_id',
      'r.first_key',
      'r.last_key',
      'r.first_int',
      'r.last_int',
      'r.free_ports_from',
      'r.free_addresses_from',
    ])
    .orderBy('r.first_key')
    .forUpdate(['ip_pool', 'r'])
    // Last, so that a pool that was unlinked while its lock was waited for is not found.
    .forKeyShare(['ip_pool_silo'])
    .execute()
  const pool = rows[0] ?? (await pools.executeTakeFirst())
  if (!pool) throw missing(selector)
  const ranges = rows.map(({ range_id, ...range }): RangeColumns => ({ ...range, id: range_id }))
  const { id, name, ip_version } = pool
  return { id, name, ip_version, ranges: ranges.filter(isIpv4), ipv6Ranges: ranges.filter(isIpv6) }
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
  ip: IpAddress,
): Promise<Row<'ip_pool'> | undefined> =>
  unicastPools(db, siloId)
    .innerJoin('ip_pool_range', 'ip_pool_range.ip_pool_id', 'ip_pool.id')
    .where('ip_pool_range.first_key', '<=', addressKey(ip))
    .where('ip_pool_range.last_key', '>=', addressKey(ip))
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

/** The default pools of a silo, of which it has one of each type and IP version. */
export async function defaultsOf(db: Reader, siloId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('ip_pool_silo')
    .select('ip_pool_id')
    .where('silo_id', '=', siloId)
    .where('is_default', '=', true)
    .execute()
  return new Set(rows.map(({ ip_pool_id }) => ip_pool_id))
}

/** Pools from which a silo may allocate, one of each type and IP version the default. */
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
