import { formatIp, formatIpNet, type IpNet, parseIpNet } from '@gantry/api/base/ip.rules'
import type { ExternalSubnetAllocator } from '@gantry/api/network/external-subnet'
import type { PoolSelector } from '@gantry/api/network/pool-selector'
import { admits, blockProblem, widest } from '@gantry/api/network/subnet-pool.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'
import { addressOf } from '../../lookup/need.ts'
import { invalid } from '../../context/refusal.ts'
import { giveBlocks } from '../recycle-bin/give-way.ts'
import { linkedPool, linkedPools } from '../subnet-pools/of-silo.ts'
import { type Block, heldBlocks, liveBlocks, overlapping } from './held.ts'

type Pool = Row<'subnet_pool'>

/** Locks the pool until the transaction ends, so that two allocations never choose the same addresses. */
export const allocate = (tx: Change, siloId: string, allocator: ExternalSubnetAllocator): Promise<Block> =>
  allocator.type === 'explicit'
    ? takeThis(tx, siloId, allocator.subnet)
    : takeFree(tx, siloId, allocator.prefix_length, allocator.pool_selector)

async function takeThis(tx: Change, siloId: string, subnet: string): Promise<Block> {
  const problem = blockProblem(subnet)
  const net = parseIpNet(subnet)
  if (problem || !net)
    throw invalid(problem ?? 'invalid IP network', 'Name a network, such as 198.51.100.0/28.')
  const member = await memberAround(tx, siloId, net)
  if (!member)
    throw invalid(
      `The requested subnet ${subnet} is not contained in any available subnet pool`,
      'Choose one inside of a pool of this silo, of a prefix length that the pool allows there, or have one allocated.',
    )
  await giveBlocks(tx, member.id, net)
  const block = blockOf(member, net)
  // Which one is none of the caller's business: another silo may hold it.
  if (await overlapping(tx, block))
    throw invalid(
      `The requested subnet ${subnet} overlaps with an existing external subnet`,
      'Choose another one, or have a free one allocated.',
    )
  return block
}

type Member = Pick<Row<'subnet_pool_member'>, 'id' | 'subnet_pool_id'>

/** The member that holds the network, with its pool locked. Members never overlap, so there is at most one. */
async function memberAround(tx: Change, siloId: string, net: IpNet): Promise<Member | undefined> {
  const member = await linkedPools(tx.read, siloId)
    .innerJoin('subnet_pool_member as m', 'm.subnet_pool_id', 'subnet_pool.id')
    .select(['m.id as member_id', 'm.subnet', 'm.min_prefix_length', 'm.max_prefix_length'])
    .where('subnet_pool.ip_version', '=', net.version === 4 ? 'v4' : 'v6')
    .where('m.first_int', '<=', String(net.first))
    .where('m.last_int', '>=', String(net.last))
    .forUpdate(['subnet_pool', 'm'])
    // Last, so that a pool that was unlinked while its lock was waited for is not found.
    .forKeyShare(['subnet_pool_silo'])
    .executeTakeFirst()
  return member && admits(member, net) ? { id: member.member_id, subnet_pool_id: member.id } : undefined
}

async function takeFree(tx: Change, siloId: string, length: number, selector: PoolSelector): Promise<Block> {
  const pool = await chosenPool(tx, siloId, selector)
  const found = length <= widest(pool.ip_version) ? await freeOrKept(tx, pool, length) : undefined
  if (!found)
    throw invalid(
      `No subnet with prefix length ${length} is available in ${selector.type === 'explicit' ? 'subnet pool' : 'the default subnet pool'} ${pool.name}`,
      'Choose a longer prefix, which is a smaller subnet, or another pool.',
    )
  return blockOf({ id: found.id, subnet_pool_id: pool.id }, found.net)
}

async function chosenPool(tx: Change, siloId: string, selector: PoolSelector): Promise<Pool> {
  const candidates =
    selector.type === 'explicit'
      ? linkedPool(tx.read, siloId, selector.pool)
      : linkedPools(tx.read, siloId).where('subnet_pool_silo.is_default', '=', true)
  const version = selector.type === 'auto' ? selector.ip_version : undefined
  const pools = await (version ? candidates.where('subnet_pool.ip_version', '=', version) : candidates)
    .orderBy('subnet_pool.id')
    .forUpdate(['subnet_pool'])
    .forKeyShare(['subnet_pool_silo'])
    .execute()
  const [pool, other] = pools
  if (pool && !other) return pool
  if (selector.type === 'explicit') throw addressOf('subnet-pool', selector.pool)
  throw pool
    ? invalid(
        'the silo has a default subnet pool of each IP version',
        'Say which IP version the subnet is to have, or name a pool.',
      )
    : invalid(
        `the silo has no default subnet pool${version ? ` of IP${version}` : ''}`,
        'Name a pool, or ask an operator to link one to this silo as its default.',
      )
}

/** What recycle bins keep gives way only where nothing is free. */
async function freeOrKept(tx: Change, pool: Pool, length: number): Promise<Found | undefined> {
  const free = await firstFree(tx, pool, length, heldBlocks)
  if (free) return free
  const kept = await firstFree(tx, pool, length, liveBlocks)
  if (kept) await giveBlocks(tx, kept.id, kept.net)
  return kept
}

interface Found {
  /** Of the member that holds it. */
  id: string
  net: IpNet
}

/**
 * The lowest free block of a size: before each external subnet, and behind the last one, there is room from the next
 * address that such a block can begin at.
 */
async function firstFree(
  tx: Change,
  pool: Pool,
  length: number,
  blocks: RawBuilder<unknown>,
): Promise<Found | undefined> {
  const size = sql`${String(1n << BigInt(widest(pool.ip_version) - length))}::numeric`
  const { rows } = await sql<{ id: string; first: string }>`
    SELECT m.id, free.first::text AS first FROM subnet_pool_member m CROSS JOIN LATERAL (
      SELECT min(gap.first) AS first FROM (
        SELECT coalesce((div(used.last_int, ${size}) + 1) * ${size}, m.first_int) AS first,
          lead(used.first_int) OVER (ORDER BY used.first_int) AS next
        FROM (
          SELECT m.first_int - 1 AS first_int, NULL::numeric AS last_int
          UNION ALL SELECT e.first_int, e.last_int FROM ${blocks} e
            WHERE e.subnet_pool_member_id = m.id) used) gap
      WHERE gap.first + ${size} <= coalesce(gap.next, m.last_int + 1)) free
    WHERE m.subnet_pool_id = ${pool.id} AND m.min_prefix_length <= ${length} AND m.max_prefix_length >= ${length}
      AND free.first IS NOT NULL ORDER BY m.first_key LIMIT 1`.execute(tx.plain)
  const [found] = rows
  if (!found) return undefined
  const version = pool.ip_version === 'v4' ? 4 : 6
  const net = parseIpNet(`${formatIp({ version, value: BigInt(found.first) })}/${length}`)
  if (!net) throw new Error(`${found.first}/${length} is no network`)
  return { id: found.id, net }
}

const blockOf = (member: Member, net: IpNet): Block => ({
  subnet: formatIpNet(net),
  first_int: String(net.first),
  last_int: String(net.last),
  subnet_pool_id: member.subnet_pool_id,
  subnet_pool_member_id: member.id,
})
