import type { IpPoolRange, IpRange } from '@gantry/api/network/ip-pool'
import {
  isAddressKey,
  maxPoolRanges,
  rangeBounds,
  unreachableProblem,
} from '@gantry/api/network/ip-pool.rules'
import { multicastRangeProblem, unicastRangeProblem } from '@gantry/api/network/multicast-group.rules'
import { type OpName, ops } from '@gantry/api/registry'
import { giveAddresses } from '../recycle-bin/give-way.ts'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { keysetPage, textKey } from '../../list/keyset-page.ts'
import type { Selectors } from '../../lookup/need.ts'
import type { ListQuery } from '../../list/page.ts'
import { insufficient, invalid, refuseIf, type Refusal } from '../../context/refusal.ts'
import { forgetAbove, forgetListed } from '../network/addresses/free-address.ts'
import { needPool, needServicePool } from './pools.ts'
import { rangeRow } from './range-row.ts'

type Pool = Row<'ip_pool'>

export const rangeView = (row: Row<'ip_pool_range'>): IpPoolRange => ({
  id: row.id,
  ip_pool_id: row.ip_pool_id,
  range: { first: row.first_ip, last: row.last_ip },
  time_created: row.time_created.toISOString(),
})

const keys = {
  first: { ...textKey('first_key', isAddressKey), isUnique: true },
}

/** Ranges by their first address, IPv4 before IPv6. */
const rangePage = (
  cx: Cx,
  op: Extract<OpName, 'ipPoolRangeList' | 'ipPoolServiceRangeList'>,
  query: ListQuery,
  pool: Pool,
) =>
  keysetPage(
    cx,
    ops[op],
    'ip_pool_range',
    query,
    { keys, where: async () => [sql`t.ip_pool_id = ${pool.id}`] },
    rangeView,
  )

export const listRanges = async (cx: Cx, at: Selectors, query: ListQuery) =>
  rangePage(cx, 'ipPoolRangeList', query, await needPool(cx, at, 'list_children'))
export const listServiceRanges = async (cx: Cx, query: ListQuery) =>
  rangePage(cx, 'ipPoolServiceRangeList', query, await needServicePool(cx, 'list_children'))

export const addRange = async (cx: Cx, at: Selectors, range: IpRange): Promise<IpPoolRange> =>
  addTo(cx, await needPool(cx, at, 'modify'), range)
export const addServiceRange = async (cx: Cx, range: IpRange): Promise<IpPoolRange> =>
  addTo(cx, await needServicePool(cx, 'modify'), range)
export const removeRange = async (cx: Cx, at: Selectors, range: IpRange): Promise<void> =>
  removeFrom(cx, await needPool(cx, at, 'modify'), range)
export const removeServiceRange = async (cx: Cx, range: IpRange): Promise<void> =>
  removeFrom(cx, await needServicePool(cx, 'modify'), range)

async function addTo(cx: Cx, { id: poolId }: Pool, range: IpRange): Promise<IpPoolRange> {
  return change(cx, fleetScope, async (tx) => {
    await takeTurn(tx)
    const pool = await tx.lockById('ip_pool', poolId)
    refuseIf(typeProblem(cx, pool, range))
    const row = rangeRow(cx.newId(), poolId, range, cx.now())
    const version = row.first_int === null ? 'v6' : 'v4'
    if (pool.has_one_version && version !== pool.ip_version)
      throw invalid(
        `IP pool ${pool.name} (${pool.id}) has IP version ${pool.ip_version}, and the range ${version}`,
        'Add it to a pool of its version.',
      )
    const overlapping = await tx.read
      .selectFrom('ip_pool_range')
      .innerJoin('ip_pool', 'ip_pool.id', 'ip_pool_range.ip_pool_id')
      .select(['first_ip', 'last_ip', 'ip_pool.name'])
      .where('first_key', '<=', row.last_key)
      .where('last_key', '>=', row.first_key)
      .orderBy('first_key')
      .executeTakeFirst()
    if (overlapping)
      throw invalid(
        `The provided IP range ${range.first}-${range.last} overlaps with an existing range`,
        `IP pool ${overlapping.name} has ${overlapping.first_ip}-${overlapping.last_ip}. Leave those addresses out.`,
      )
    const member = await tx.read
      .selectFrom('subnet_pool_member')
      .innerJoin('subnet_pool', 'subnet_pool.id', 'subnet_pool_member.subnet_pool_id')
      .select(['subnet', 'subnet_pool.name'])
      .where('first_key', '<=', row.last_key)
      .where('last_key', '>=', row.first_key)
      .orderBy('first_key')
      .executeTakeFirst()
    if (member)
      throw invalid(
        `The provided IP range ${range.first}-${range.last} overlaps with a member of a subnet pool`,
        `Subnet pool ${member.name} has ${member.subnet}. Leave those addresses out.`,
      )
    const ranges = tx.read.selectFrom('ip_pool_range').select((eb) => eb.fn.countAll<number>().as('count'))
    const { count } = await ranges.where('ip_pool_id', '=', poolId).executeTakeFirstOrThrow()
    refuseIf(
      count >= maxPoolRanges &&
        insufficient(`the IP pool already has the maximum of ${maxPoolRanges} ranges`, {
          help: 'Remove a range first, or create another pool.',
        }),
    )
    // The first range decides for a pool that was created without a version.
    if (count === 0 && version !== pool.ip_version) await takeVersion(tx, pool, version)
    const added = await tx.plain
      .insertInto('ip_pool_range')
      .values(row)
      .returningAll()
      .executeTakeFirstOrThrow()
    await forgetAbove(tx, added)
    tx.note('ip-pool-range', added.id, undefined, { ip_pool: pool.name, ...range })
    return rangeView(added)
  })
}

/** The links of a pool have its version too, of which each silo has one default. */
async function takeVersion(tx: Change, pool: Pool, ip_version: Pool['ip_version']): Promise<void> {
  const { rows } = await sql<{ silo: string; pool: string }>`
    SELECT s.name AS silo, p.name AS pool FROM ip_pool_silo own
    JOIN ip_pool_silo other ON other.silo_id = own.silo_id AND other.is_default AND other.ip_version = ${ip_version}
      AND other.pool_type = own.pool_type AND other.ip_pool_id <> own.ip_pool_id
    JOIN ip_pool p ON p.id = other.ip_pool_id JOIN silo s ON s.id = own.silo_id
    WHERE own.ip_pool_id = ${pool.id} AND own.is_default ORDER BY s.name LIMIT 1`.execute(tx.plain)
  const [taken] = rows
  if (taken)
    throw invalid(
      `IP pool ${pool.name} is the default of the silo ${taken.silo}, whose default pool of this IP version is ${taken.pool}`,
      'Make one of them no default of the silo first.',
    )
  await tx.update('ip_pool', pool, { ip_version })
  await tx.plain.updateTable('ip_pool_silo').set({ ip_version }).where('ip_pool_id', '=', pool.id).execute()
}

function typeProblem(cx: Cx, { name, pool_type }: Pool, { first, last }: IpRange): Refusal | undefined {
  const bounds = rangeBounds(first, last)
  if (!bounds) throw new Error(`${first}-${last} is no range`)
  if (pool_type === 'multicast') {
    const problem = multicastRangeProblem(bounds.first, bounds.last)
    return problem ? invalid(problem, `IP pool ${name} is one of multicast addresses.`) : undefined
  }
  // A simulated machine has whatever address it is given, if it is one of a machine.
  const problem = cx.services.fleet.isSimulated
    ? unicastRangeProblem(bounds.first, bounds.last)
    : unreachableProblem(first, last)
  return problem ? invalid(problem, 'Leave those addresses out of the range.') : undefined
}

/** Serialises additions to all pools of addresses and of subnets, so that no two overlap. */
export const takeTurn = (tx: Change) =>
  tx.plain
    .insertInto('counter')
    .values({ name: 'ip-pool-ranges', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`counter.value + 1` }))
    .execute()

async function removeFrom(cx: Cx, { id: poolId }: Pool, { first, last }: IpRange): Promise<void> {
  await change(cx, fleetScope, async (tx) => {
    const pool = await tx.lockById('ip_pool', poolId)
    const range = await tx.plain
      .selectFrom('ip_pool_range')
      .selectAll()
      .where('ip_pool_id', '=', poolId)
      .where('first_ip', '=', first)
      .where('last_ip', '=', last)
      .forUpdate()
      .executeTakeFirst()
    if (!range)
      throw invalid(
        `The provided range ${first}-${last} does not exist`,
        `Name a range of the IP pool ${pool.name} with exactly its first and last address.`,
      )
    await giveAddresses(tx, range.ip_pool_id, range)
    await forgetListed(tx, range)
    const used = await firstUsed(tx, range)
    const group = await firstGroup(tx, range)
    if (group)
      throw invalid(
        'IP pool ranges cannot be deleted while multicast groups have addresses of them',
        `The group ${group.name} has ${group.multicast_ip}, and perhaps others. Its members must leave it first.`,
      )
    if (used)
      throw invalid(
        'IP pool ranges cannot be deleted while external IP addresses are allocated from them',
        `${used} is the lowest address in use. Detach and delete what holds the addresses of ${first}-${last} first.`,
      )
    await tx.plain.deleteFrom('ip_pool_range').where('id', '=', range.id).execute()
    tx.note('ip-pool-range', range.id, { ip_pool: pool.name, first, last }, undefined)
  })
}

const firstGroup = (tx: Change, range: Row<'ip_pool_range'>) =>
  tx.plain
    .selectFrom('multicast_group')
    .select(['name', 'multicast_ip'])
    .where('ip_pool_id', '=', range.ip_pool_id)
    .where('ip_key', '>=', range.first_key)
    .where('ip_key', '<=', range.last_key)
    .orderBy('ip_key')
    .limit(1)
    .executeTakeFirst()

/** The lowest allocated address of a range. */
async function firstUsed(tx: Change, range: Row<'ip_pool_range'>): Promise<string | undefined> {
  const used = await tx.read
    .selectFrom('external_ip')
    .select('ip')
    .where('ip_pool_id', '=', range.ip_pool_id)
    .where('ip_key', '>=', range.first_key)
    .where('ip_key', '<=', range.last_key)
    .where('time_deleted', 'is', null)
    .orderBy('ip_key')
    .limit(1)
    .executeTakeFirst()
  return used?.ip
}
