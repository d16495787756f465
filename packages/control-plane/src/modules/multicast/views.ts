import { formatIp, parseIp } from '@gantry/api/base/ip.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { RunState } from '@gantry/api/compute/instance.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import type { MulticastGroup, MulticastGroupMember } from '@gantry/api/network/multicast-group'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Relation } from '../../list/keyset-page.ts'
import { notFound } from '../../context/refusal.ts'

interface Identity {
  id: string
  name: string
  description: string
  time_created: Date
  time_modified: Date
}
export interface GroupRow extends Identity {
  multicast_ip: string
  ip_pool_id: string
  source_ips: string[]
  has_any_source_member: boolean
}
interface MemberRow extends Identity {
  multicast_group_id: string
  multicast_ip: string
  instance_id: string
  source_ips: string[]
  run_state: RunState
}

/** Groups with what their members listen to. */
export const groups: Relation<GroupRow> = {
  columns: sql<GroupRow>`t.*`,
  from: sql`(SELECT g.*,
    coalesce((SELECT array_agg(DISTINCT s.ip ORDER BY s.ip) FROM multicast_group_member m,
      jsonb_array_elements_text(m.source_ips) AS s(ip) WHERE m.multicast_group_id = g.id), '{}') AS source_ips,
    EXISTS (SELECT 1 FROM multicast_group_member m WHERE m.multicast_group_id = g.id
      AND m.source_ips = '[]') AS has_any_source_member FROM multicast_group g)`,
}

/** Members have the name of their group: that of the instance is known in its own silo only. */
export const members: Relation<MemberRow> = {
  columns: sql<MemberRow>`t.*`,
  from: sql`(SELECT m.*, g.name, '' AS description, g.multicast_ip, i.run_state FROM multicast_group_member m
    JOIN multicast_group g ON g.id = m.multicast_group_id JOIN instance i ON i.id = m.instance_id)`,
}

const identityOf = ({ id, name, description, time_created, time_modified }: Identity) => ({
  id,
  name,
  description,
  time_created: time_created.toISOString(),
  time_modified: time_modified.toISOString(),
})

/** A group exists as long as it has members, and packets reach those that run. */
export const groupView = (row: GroupRow): MulticastGroup => ({
  ...identityOf(row),
  multicast_ip: row.multicast_ip,
  ip_pool_id: row.ip_pool_id,
  source_ips: row.source_ips,
  has_any_source_member: row.has_any_source_member,
  state: 'Active',
})

export const memberView = (row: MemberRow): MulticastGroupMember => ({
  ...identityOf(row),
  multicast_group_id: row.multicast_group_id,
  multicast_ip: row.multicast_ip,
  instance_id: row.instance_id,
  source_ips: row.source_ips,
  state: row.run_state === 'starting' ? 'Joining' : hasMachine(row.run_state) ? 'Joined' : 'Left',
})

/** By id, address or name, in this order. */
export async function findGroup(db: Reader, identifier: string): Promise<GroupRow | undefined> {
  const ip = parseIp(identifier)
  const condition = isUuid(identifier)
    ? sql`t.id = ${canonicalUuid(identifier)}`
    : ip
      ? sql`t.multicast_ip = ${formatIp(ip)}`
      : sql`t.name = ${identifier}`
  const { rows } = await sql<GroupRow>`SELECT t.* FROM ${groups.from} t WHERE ${condition}`.execute(db)
  return rows[0]
}

export const noSuchGroup = (identifier: string) =>
  notFound('multicast-group', isUuid(identifier) ? { id: canonicalUuid(identifier) } : { name: identifier })

export async function needGroup(db: Reader, identifier: string): Promise<GroupRow> {
  const group = await findGroup(db, identifier)
  if (!group) throw noSuchGroup(identifier)
  return group
}
