import { formatIp, type IpAddress, parseIp } from '@gantry/api/base/ip.rules'
import { isUuid, nameProblem } from '@gantry/api/base/name.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import type { MulticastGroupJoin } from '@gantry/api/network/multicast-group'
import {
  isMulticast,
  isSourceSpecific,
  maxGroupsOfInstance,
  nameOfAddress,
} from '@gantry/api/network/multicast-group.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import type { Change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { insufficient, invalid, invalidValue } from '../../context/refusal.ts'
import { findGroup, noSuchGroup } from './views.ts'

type Instance = Pick<Row<'instance'>, 'id' | 'name'>
type Sources = MulticastGroupJoin['source_ips']

export const needMulticast = (cx: Cx): void => needCapability(cx.services.fleet, 'multicast')

/** Groups come and go with their members, so that all memberships change one at a time. */
const takeTurn = (tx: Change) =>
  tx.plain
    .insertInto('counter')
    .values({ name: 'multicast-groups', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`counter.value + 1` }))
    .execute()

/** Makes the instance a member, or changes what it listens to. Returns the id of the member. */
export async function joinGroup(
  tx: Change,
  instance: Instance,
  siloId: string,
  wanted: MulticastGroupJoin,
): Promise<string> {
  await takeTurn(tx)
  const held = await heldBy(tx, instance.id)
  if (held.length >= maxGroupsOfInstance)
    throw invalid(
      `an instance may be a member of at most ${maxGroupsOfInstance} multicast groups`,
      'Leave another group first.',
    )
  const existing = await findGroup(tx.read, wanted.group)
  if (existing) checkSources(existing.multicast_ip, wanted.source_ips)
  const group = existing ?? (await createGroup(tx, siloId, wanted))
  const before = held.find(({ multicast_group_id }) => multicast_group_id === group.id)
  const source_ips = sortedUnique(wanted.source_ips ?? before?.source_ips ?? [])
  const now = tx.cx.now()
  const id = before?.id ?? tx.cx.newId()
  if (before)
    await tx.plain
      .updateTable('multicast_group_member')
      .set({ source_ips: JSON.stringify(source_ips), time_modified: now })
      .where('id', '=', id)
      .execute()
  else
    await tx.plain
      .insertInto('multicast_group_member')
      .values({
        id,
        multicast_group_id: group.id,
        instance_id: instance.id,
        source_ips: JSON.stringify(source_ips),
        time_created: now,
        time_modified: now,
      })
      .execute()
  const said = { instance: instance.name, multicast_ip: group.multicast_ip, source_ips }
  tx.note('multicast-group-member', id, before && { ...said, source_ips: before.source_ips }, said)
  return id
}

/** A membership that is none ends without a word. */
export async function leaveGroup(tx: Change, instance: Instance, groupId: string): Promise<void> {
  await takeTurn(tx)
  await end(tx, instance, groupId)
}

/** Called when an instance is deleted. */
export async function leaveAllMulticast(tx: Change, instance: Instance): Promise<void> {
  const held = await heldBy(tx, instance.id)
  if (held.length === 0) return
  await takeTurn(tx)
  for (const { multicast_group_id } of held) await end(tx, instance, multicast_group_id)
}

/** Exactly these groups: memberships that stay are not touched. */
export async function setGroups(
  tx: Change,
  instance: Instance,
  siloId: string,
  wanted: readonly MulticastGroupJoin[],
): Promise<void> {
  if (wanted.length > maxGroupsOfInstance)
    throw invalid(
      `an instance may be a member of at most ${maxGroupsOfInstance} multicast groups`,
      'Name fewer groups.',
    )
  await takeTurn(tx)
  const found = new Map<MulticastGroupJoin, string | undefined>()
  for (const one of wanted) found.set(one, (await findGroup(tx.read, one.group))?.id)
  const known = [...found.values()].filter((id) => id !== undefined)
  const names = wanted.map(({ group }) => group)
  if (new Set(known).size < known.length || new Set(names).size < names.length)
    throw invalid('multicast groups are named more than once', 'Name each group once.')
  const held = await heldBy(tx, instance.id)
  for (const { multicast_group_id } of held)
    if (!known.includes(multicast_group_id)) await end(tx, instance, multicast_group_id)
  for (const one of wanted) {
    const id = found.get(one)
    if (!held.some(({ multicast_group_id }) => multicast_group_id === id))
      await joinGroup(tx, instance, siloId, one)
  }
}

async function end(tx: Change, instance: Instance, groupId: string): Promise<void> {
  const gone = await tx.plain
    .deleteFrom('multicast_group_member')
    .where('instance_id', '=', instance.id)
    .where('multicast_group_id', '=', groupId)
    .returning(['id', 'source_ips'])
    .executeTakeFirst()
  if (!gone) return
  tx.note(
    'multicast-group-member',
    gone.id,
    { instance: instance.name, source_ips: gone.source_ips },
    undefined,
  )
  await sql`DELETE FROM multicast_group WHERE id = ${groupId}
    AND NOT EXISTS (SELECT 1 FROM multicast_group_member m WHERE m.multicast_group_id = ${groupId})`.execute(
    tx.plain,
  )
}

const heldBy = (tx: Change, instanceId: string) =>
  tx.plain.selectFrom('multicast_group_member').selectAll().where('instance_id', '=', instanceId).execute()

const sortedUnique = (sources: readonly string[]): string[] => [...new Set(sources)].sort()

function checkSources(address: string, sources: Sources): void {
  const ip = parseIp(address)
  if (!ip) throw new Error(`${address} is no address`)
  if (sources?.some((source) => parseIp(source)?.version !== ip.version))
    throw invalid(
      `the sources of the multicast group ${address} are addresses of IPv${ip.version}`,
      'Name sources of the version of the group.',
    )
  if (isSourceSpecific(ip) && !sources?.length)
    throw invalid(
      `the multicast group ${address} is source-specific, and no source is named`,
      'Name the addresses from which the instance is to hear in `source_ips`.',
    )
}

interface Created {
  id: string
  multicast_ip: string
}

async function createGroup(tx: Change, siloId: string, wanted: MulticastGroupJoin): Promise<Created> {
  const { group: identifier, source_ips } = wanted
  if (isUuid(identifier)) throw noSuchGroup(identifier)
  const ip = parseIp(identifier)
  if (ip) {
    checkSources(formatIp(ip), source_ips)
    return insertGroup(tx, await poolWith(tx, siloId, ip), ip, nameOfAddress(ip))
  }
  const problem = nameProblem(identifier)
  if (problem) throw invalidValue('multicast_group', problem)
  const { pool, address } = await freeAddress(tx, siloId, wanted)
  checkSources(formatIp(address), source_ips)
  return insertGroup(tx, pool, address, identifier)
}

async function insertGroup(tx: Change, pool: string, ip: IpAddress, name: string): Promise<Created> {
  const now = tx.cx.now()
  const row = {
    id: tx.cx.newId(),
    name,
    description: '',
    multicast_ip: formatIp(ip),
    ip_key: addressKey(ip),
    ip_pool_id: pool,
    time_created: now,
    time_modified: now,
  }
  await tx.plain.insertInto('multicast_group').values(row).execute()
  return row
}

/** Pools of multicast addresses of the silo, locked, with their ranges: the default one first, then by name. */
async function rangesOf(tx: Change, siloId: string) {
  const { rows } = await sql<{
    pool: string
    ip_version: 'v4' | 'v6'
    first_ip: string
    last_ip: string
    first_key: string
    last_key: string
  }>`SELECT p.id AS pool, p.ip_version, r.first_ip, r.last_ip, r.first_key, r.last_key FROM ip_pool p
    JOIN ip_pool_silo s ON s.ip_pool_id = p.id JOIN ip_pool_range r ON r.ip_pool_id = p.id
    WHERE s.silo_id = ${siloId} AND p.pool_type = 'multicast' AND p.time_deleted IS NULL
    ORDER BY s.is_default DESC, p.name, r.first_key FOR SHARE OF p, s, r`.execute(tx.plain)
  return rows
}

async function poolWith(tx: Change, siloId: string, ip: IpAddress): Promise<string> {
  const key = addressKey(ip)
  const range =
    isMulticast(ip) &&
    (await rangesOf(tx, siloId)).find(({ first_key, last_key }) => first_key <= key && key <= last_key)
  if (!range)
    throw invalid(
      `the multicast address ${formatIp(ip)} is in no pool of this silo`,
      'Name an address of a multicast pool that is linked to this silo, or a name, which is given a free address.',
    )
  return range.pool
}

/** Sources prefer a source-specific address; without any, only the others will do. */
async function freeAddress(tx: Change, siloId: string, { ip_version, source_ips }: MulticastGroupJoin) {
  const all = await rangesOf(tx, siloId)
  if (all.length === 0)
    throw invalid('the silo has no pool of multicast addresses', 'Ask an operator to link one to this silo.')
  const version = ip_version ?? (source_ips?.[0] ? (source_ips[0].includes(':') ? 'v6' : 'v4') : undefined)
  const versions = new Set(all.map((range) => range.ip_version))
  if (!version && versions.size > 1)
    throw invalid(
      'the silo has pools of multicast addresses of both IP versions',
      'Say by `ip_version` which the group is to have.',
    )
  const usable = all.filter((range) => !version || range.ip_version === version)
  const isSpecific = ({ first_ip }: { first_ip: string }) => {
    const first = parseIp(first_ip)
    return first !== undefined && isSourceSpecific(first)
  }
  const specific = source_ips?.length ? usable.filter(isSpecific) : []
  for (const range of [...specific, ...usable.filter((each) => !isSpecific(each))]) {
    const address = await firstFree(tx, range)
    if (address) return { pool: range.pool, address }
  }
  throw insufficient('no multicast address is free in the pools of this silo', {
    help: 'Ask an operator to add a range to a pool of multicast addresses.',
  })
}

/** The lowest address of a range that no group has. */
async function firstFree(
  tx: Change,
  range: { first_ip: string; last_ip: string; first_key: string; last_key: string },
): Promise<IpAddress | undefined> {
  const [first, last] = [parseIp(range.first_ip), parseIp(range.last_ip)]
  if (!first || !last) throw new Error(`${range.first_ip}-${range.last_ip} is no range`)
  const taken = await tx.plain
    .selectFrom('multicast_group')
    .select('ip_key')
    .where('ip_key', '>=', range.first_key)
    .where('ip_key', '<=', range.last_key)
    .orderBy('ip_key')
    .execute()
  let { value } = first
  for (const { ip_key } of taken) {
    if (ip_key !== addressKey({ version: first.version, value })) break
    value += 1n
  }
  return value <= last.value ? { version: first.version, value } : undefined
}
