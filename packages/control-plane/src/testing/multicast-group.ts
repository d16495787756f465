import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { parseIp } from '@gantry/api/base/ip.rules'
import type { TestBed } from './control-plane.ts'

/** Inserts a group with these members, as if they had joined it; returns its id. */
export async function addMulticastGroup(
  { db }: Pick<TestBed, 'db'>,
  name: string,
  instanceIds: readonly string[] = [],
): Promise<string> {
  const multicast_ip = '224.7.7.7'
  const ip = parseIp(multicast_ip)
  if (!ip) throw new Error(`${multicast_ip} is no address`)
  const pool = await db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()
  const id = crypto.randomUUID()
  const now = new Date()
  const times = { time_created: now, time_modified: now }
  await db
    .insertInto('multicast_group')
    .values({
      id,
      name,
      description: '',
      multicast_ip,
      ip_key: addressKey(ip),
      ip_pool_id: pool.id,
      ...times,
    })
    .execute()
  for (const instance_id of instanceIds)
    await db
      .insertInto('multicast_group_member')
      .values({ id: crypto.randomUUID(), multicast_group_id: id, instance_id, source_ips: '[]', ...times })
      .execute()
  return id
}
