import type { IpAddress } from '@gantry/api/base/ip.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { isFarBehind } from './choose-address.ts'
import { firstWalk, nextWalk, walkText } from './gaps.ts'
import type { Ipv6Range, LockedPool } from './pools.ts'
import { ipv6Stretch, type Stretch } from './stretch.ts'

/**
 * Offsets in a range up to which the platform selects addresses: so far they are exact numbers, and more than there are
 * instances. A range may have 2^128 addresses; those above are given out if they are asked for.
 */
const lastOffset = 2 ** 48

/** Takes the lowest IPv6 address of the pool that is unused; undefined if there is none. */
export async function takeIpv6(tx: Change, pool: LockedPool): Promise<Stretch | undefined> {
  for (const range of pool.ipv6Ranges) {
    const { free_addresses_from: from } = range
    const offset = await lowestFree(tx, pool.id, range)
    const isLast = firstOf(range) + BigInt(offset) > valueOf(range.last_key) || offset > lastOffset
    if (isFarBehind(offset, from) || (isLast && offset > from)) await keepStart(tx, range, offset)
    if (!isLast) return addressAt(range, offset)
  }
  return undefined
}

/** The lowest offset of a range, from its stored start, without a use. */
async function lowestFree(tx: Change, poolId: string, range: Ipv6Range): Promise<number> {
  let start = range.free_addresses_from
  for (let walk = firstWalk; ; walk = nextWalk(walk)) {
    const uses = {
      begin: sql`ipv6_offset`,
      end: sql`ipv6_offset + 1`,
      from: sql`external_ip WHERE ip_pool_id = ${poolId} AND time_deleted IS NULL AND ipv6_offset IS NOT NULL
        AND ip_key >= ${keyAt(range, start)} AND ip_key <= ${range.last_key}`,
      order: sql`ip_key`,
    }
    const { rows } = await walkText(0, uses, { start, walk, gaps: 1 }).execute(tx.read)
    const last = rows.at(-1)
    if (!last) return start
    if (last.until !== null || last.walked < walk) return last.first
    start = last.first
  }
}

/** A given address of a range. */
export function thisIpv6(range: Ipv6Range, { value }: IpAddress): Stretch {
  const offset = value - firstOf(range)
  return ipv6Stretch(value, offset <= lastOffset ? Number(offset) : null)
}

/** The search for a free address starts there again. Waits for a concurrent search, which cannot see the release yet. */
export async function releaseIpv6(tx: Change, freed: Row<'external_ip'>): Promise<void> {
  if (freed.ipv6_offset === null) return
  await sql`
    UPDATE ip_pool_range SET free_addresses_from = least(free_addresses_from, ${freed.ipv6_offset}::int8)
    WHERE ip_pool_id = ${freed.ip_pool_id} AND first_key <= ${freed.ip_key} AND last_key >= ${freed.ip_key}`.execute(
    tx.plain,
  )
}

const valueOf = (key: string): bigint => BigInt(`0x${key.slice(1)}`)
const firstOf = ({ first_key }: Ipv6Range): bigint => valueOf(first_key)
const keyAt = (range: Ipv6Range, offset: number): string =>
  addressKey({ version: 6, value: firstOf(range) + BigInt(offset) })
const addressAt = (range: Ipv6Range, offset: number): Stretch =>
  ipv6Stretch(firstOf(range) + BigInt(offset), offset)

const keepStart = (tx: Change, { id }: Ipv6Range, free_addresses_from: number): Promise<unknown> =>
  tx.plain.updateTable('ip_pool_range').set({ free_addresses_from }).where('id', '=', id).execute()
