import type { InstanceCreate } from '@gantry/api/compute/instance'
import { automaticStack } from '@gantry/api/network/ip-stack.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { StoredSettings } from '../../db/tables/storage.ts'
import type { Row } from '../../db/tables.ts'
import { type Family, affinity, antiAffinity } from '../affinity/families.ts'
import { cdsOf } from '../compute/hardware/cds.ts'
import { addressOf } from '../compute/instances/as-created.ts'
import { stackTypeOf } from '../network/records/ip-stack.ts'

type Place = StoredSettings['affinity_groups'][number]

/** What an instance has besides its disks, with the names of now. */
export async function settingsOf(db: Reader, instance: Row<'instance'>): Promise<StoredSettings> {
  const { id, description, ncpus, memory, hostname, auto_restart_policy, cpu_platform, enable_jumbo_frames } =
    instance
  const interfaces = await sql<{
    name: string
    description: string
    is_primary: boolean
    transit_ips: string[]
    ip: string | null
    ipv6: string | null
    vpc_id: string
    vpc_name: string
    subnet_id: string
    subnet_name: string
  }>`SELECT n.name, n.description, n.is_primary, n.transit_ips, n.ip, n.ipv6, v.id AS vpc_id, v.name AS vpc_name,
      s.id AS subnet_id, s.name AS subnet_name
    FROM network_interface n JOIN vpc v ON v.id = n.vpc_id JOIN vpc_subnet s ON s.id = n.subnet_id
    WHERE n.instance_id = ${id} AND n.time_deleted IS NULL ORDER BY n.slot`.execute(db)
  const pools = await sql<Place>`SELECT p.id, p.name FROM external_ip e JOIN ip_pool p ON p.id = e.ip_pool_id
    WHERE e.instance_id = ${id} AND e.kind = 'ephemeral' AND e.time_deleted IS NULL ORDER BY e.ip_key`.execute(
    db,
  )
  const cds = cdsOf(instance)
  const images = await sql<Place>`SELECT id, name FROM image
    WHERE id = ANY (${cds.flatMap((one) => one ?? [])}::uuid[]) AND time_deleted IS NULL`.execute(db)
  const keys = await sql<{ id: string }>`SELECT ssh_key_id AS id FROM instance_ssh_key
    WHERE instance_id = ${id} ORDER BY ssh_key_id`.execute(db)
  return {
    description,
    ncpus,
    memory,
    hostname,
    auto_restart_policy,
    cpu_platform,
    enable_jumbo_frames,
    hardware: instance.hardware,
    cds: cds.map((one) => images.rows.find((image) => image.id === one) ?? null),
    network_interfaces: interfaces.rows.map(
      ({ vpc_id, vpc_name, subnet_id, subnet_name, ip, ipv6, ...own }) => ({
        ...own,
        ip_stack: stackTypeOf({ ip, ipv6 }),
        vpc: { id: vpc_id, name: vpc_name },
        subnet: { id: subnet_id, name: subnet_name },
      }),
    ),
    ephemeral_ip_pools: pools.rows,
    ssh_keys: keys.rows.map((key) => key.id),
    anti_affinity_groups: await groupsOf(db, antiAffinity, id),
    affinity_groups: await groupsOf(db, affinity, id),
  }
}

async function groupsOf(db: Reader, family: Family, instanceId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`SELECT g.id, g.name FROM ${sql.table(family.members)} m
    JOIN ${sql.table(family.groups)} g ON g.id = m.group_id
    WHERE m.instance_id = ${instanceId} AND g.time_deleted IS NULL ORDER BY g.name`.execute(db)
  return rows
}

/** The pools of its ephemeral addresses. */
export const ephemeralPoolsOf = ({
  ephemeral_ip_pools,
  ephemeral_ip_pool: former,
}: StoredSettings): Place[] => ephemeral_ip_pools ?? (former ? [former] : [])

/** What a new instance can have of it, and what not. */
export interface Usable {
  network_interfaces: InstanceCreate['network_interfaces']
  external_ips: InstanceCreate['external_ips']
  ssh_keys: string[]
  anti_affinity_groups: string[]
  affinity_groups: string[]
  /** Ids of images that are still there. */
  cds: string[]
  missing: { kind: string; name: string }[]
}

/** Of the settings, what refers to things that still exist, under their names of now. */
export async function usableOf(
  { db }: Pick<Cx, 'db'>,
  silo_id: string,
  settings: StoredSettings,
): Promise<Usable> {
  const found = await existing(db, silo_id, settings)
  const missing: Usable['missing'] = []
  const params = settings.network_interfaces.flatMap(({ name, description, subnet, vpc, ...own }) => {
    const now = found.get(subnet.id)
    if (now)
      return [
        {
          name,
          description,
          vpc_name: now.parent ?? '',
          subnet_name: now.name,
          ip_config: automaticStack(own.ip_stack ?? 'v4', own.transit_ips),
        },
      ]
    missing.push({ kind: 'vpc-subnet', name: `${vpc.name}/${subnet.name}` })
    return []
  })
  // An address needs an interface.
  const pools = ephemeralPoolsOf(settings).filter(({ id, name }) => {
    const isUsable = found.has(id) && params.length > 0
    if (!isUsable) missing.push({ kind: 'external-ip', name })
    return isUsable
  })
  const keys = settings.ssh_keys.filter((id) => found.has(id))
  const lostKeys = settings.ssh_keys.length - keys.length
  if (lostKeys > 0) missing.push({ kind: 'ssh-key', name: String(lostKeys) })
  const inGroups = (kind: string, groups: readonly Place[]): string[] =>
    groups.flatMap(({ id, name }) => {
      if (found.has(id)) return [id]
      missing.push({ kind, name })
      return []
    })
  return {
    network_interfaces: params.length > 0 ? { type: 'create', params } : { type: 'none' },
    external_ips: pools.map(({ id }) => addressOf({ type: 'ephemeral', pool: id })),
    ssh_keys: keys,
    anti_affinity_groups: inGroups('anti-affinity-group', settings.anti_affinity_groups),
    affinity_groups: inGroups('affinity-group', settings.affinity_groups),
    cds: (settings.cds ?? []).flatMap((image) => {
      if (!image) return []
      if (found.has(image.id)) return [image.id]
      missing.push({ kind: 'image', name: image.name })
      return []
    }),
    missing,
  }
}

interface Named {
  id: string
  name: string
  /** The VPC of a subnet. */
  parent: string | null
}

/** Everything that the settings refer to and that still exists, by id, in one statement. */
async function existing(db: Reader, silo_id: string, settings: StoredSettings): Promise<Map<string, Named>> {
  const { network_interfaces, ssh_keys, ...groups } = settings
  const pools = ephemeralPoolsOf(settings).map(({ id }) => id)
  const subnets = network_interfaces.map(({ subnet }) => subnet.id)
  const cds = (settings.cds ?? []).flatMap((image) => image?.id ?? [])
  const live = sql`time_deleted IS NULL`
  const groupsOfFamily = ({ groups: table }: Family, places: readonly Place[]) =>
    sql`SELECT id, name, NULL FROM ${sql.table(table)}
      WHERE ${live} AND id = ANY (${places.map(({ id }) => id)}::uuid[])`
  const { rows } = await sql<Named>`
    SELECT s.id, s.name, v.name AS parent FROM vpc_subnet s JOIN vpc v ON v.id = s.vpc_id
      WHERE s.time_deleted IS NULL AND v.time_deleted IS NULL AND s.id = ANY (${subnets}::uuid[])
    UNION ALL SELECT p.id, p.name, NULL FROM ip_pool p JOIN ip_pool_silo l ON l.ip_pool_id = p.id
      WHERE p.time_deleted IS NULL AND l.silo_id = ${silo_id} AND p.id = ANY (${pools}::uuid[])
    UNION ALL SELECT id, name, NULL FROM image
      WHERE ${live} AND silo_id = ${silo_id} AND id = ANY (${cds}::uuid[])
    UNION ALL SELECT id, name, NULL FROM ssh_key WHERE ${live} AND id = ANY (${ssh_keys}::uuid[])
    UNION ALL ${groupsOfFamily(antiAffinity, groups.anti_affinity_groups)}
    UNION ALL ${groupsOfFamily(affinity, groups.affinity_groups)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
