import type { IpNet } from '@gantry/api/base/ip.rules'
import { sql } from 'kysely'
import { change, type Change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import { fullRefusal } from '../../context/out-of-space.ts'
import type { ClaimedJob, Services } from '../../context/services.ts'
import { purge } from './purge.ts'
import type { Row } from '../../db/tables.ts'

/** Items that give way in one change. */
const atOnce = 200

/** Deletes for good as many of a silo's items, the oldest first, as hold this many bytes. */
export async function giveStorage(tx: Change, silo_id: string, bytes: number): Promise<void> {
  const oldest = sql`id IN (SELECT id FROM (
    SELECT id, sum(storage) OVER (ORDER BY time_deleted, id) - storage AS before FROM (
      SELECT id, storage, time_deleted FROM recycled WHERE silo_id = ${silo_id} AND storage > 0
      ORDER BY time_deleted LIMIT ${atOnce}) held) summed WHERE before < ${bytes})`
  await purge(tx, oldest, 'quota')
}

/** Frees the address of a pool that has been reserved for longest; false if none is. */
export async function giveAddress(tx: Change, poolId: string): Promise<boolean> {
  const oldest = sql`id = (SELECT id FROM recycled WHERE ip_pool_id = ${poolId} ORDER BY time_deleted LIMIT 1)`
  return (await purge(tx, oldest, 'pool')).length > 0
}

/** Frees the addresses of a pool from one key to another that are only reserved. */
export async function giveAddresses(
  tx: Change,
  poolId: string,
  { first_key, last_key }: Pick<Row<'ip_pool_range'>, 'first_key' | 'last_key'>,
): Promise<void> {
  await purge(tx, sql`ip_pool_id = ${poolId} AND ip_key BETWEEN ${first_key} AND ${last_key}`, 'pool')
}

/** Frees the blocks of a member of a pool that are only kept and share an address with the network. */
export async function giveBlocks(tx: Change, memberId: string, { first, last }: IpNet): Promise<void> {
  const within = sql`e.subnet_pool_member_id = ${memberId} AND e.first_int <= ${String(last)}::numeric
    AND e.last_int >= ${String(first)}::numeric`
  const kept = sql`kind = 'external-subnet' AND object_id IN (SELECT e.id FROM external_subnet e WHERE ${within})`
  await purge(tx, kept, 'subnets')
}

/** Runs what needs space again, for as long as there is none and a recycle bin has something to give. */
export async function withSpace<Result>(services: Services, run: () => Promise<Result>): Promise<Result> {
  for (let items = 1; ; items = Math.min(2 * items, atOnce))
    try {
      return await run()
    } catch (error) {
      if (!fullRefusal(error) || !(await giveSpace(services, items))) throw error
    }
}

/** Deletes for good the oldest of all items that have bytes, and the bytes with them; false if there are none. */
async function giveSpace(services: Services, items: number): Promise<boolean> {
  const oldest = sql`id IN (SELECT id FROM recycled WHERE content_id IS NOT NULL OR kind = 'instance-snapshot'
    ORDER BY time_deleted LIMIT ${items})`
  const jobs = await change(systemCx(services, 'reconcile:recycle-bin'), fleetScope, async (tx) => {
    const gone = await purge(tx, oldest, 'disk')
    const claimed: ClaimedJob[] = []
    for (const { removalJob } of gone)
      if (removalJob !== undefined) claimed.push(await tx.takeJob(removalJob))
    return claimed
  })
  for (const job of jobs) await services.runJob(job)
  return jobs.length > 0
}
