import { sees } from '@gantry/control-plane/lookup/location'
import { instanceLimits, noInterfaceForIps } from '@gantry/api/compute/instance.rules'
import type { FloatingIpCreate } from '@gantry/api/network/floating-ip'
import { ipNotAvailable } from '@gantry/api/network/floating-ip.rules'
import type { InstanceCreate } from '@gantry/api/compute/instance'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import { liveRows } from '@gantry/control-plane/change/children'
import type { Change } from '@gantry/control-plane/change/change'
import { addressOf } from '@gantry/control-plane/lookup/need'
import { invalid, Refusal, refuseIf } from '@gantry/control-plane/context/refusal'
import { release, type Stretch, takeAddress, takePorts, takeThisAddress } from './free-address.ts'
import { giveAddress, giveAddresses } from '../../recycle-bin/give-way.ts'
import { formatIpv4, parseIpv4 } from './ip.ts'
import { type LockedPool, lockPool, poolNamed, poolOfAddress } from './pools.ts'

type ExternalIp = Row<'external_ip'>

export const tooManyExternalIps = invalid(
  `An instance may not have more than ${instanceLimits.externalIps} external IP addresses`,
  `Use at most ${instanceLimits.externalIps} addresses, not counting the shared SNAT address.`,
)

/** Validates the list without any look-up (control plane reference, B 3.2). */
export function externalIpRequestProblem({
  external_ips: wanted,
  network_interfaces: interfaces,
}: Pick<InstanceCreate, 'external_ips' | 'network_interfaces'>): Refusal | undefined {
  const { externalIps, ephemeralIps } = instanceLimits
  if (wanted.length > externalIps) return tooManyExternalIps
  if (wanted.filter((one) => one.type === 'ephemeral').length > ephemeralIps)
    return invalid(
      `An instance may not have more than ${ephemeralIps} ephemeral IP address`,
      'Request one ephemeral address, and attach floating IPs for more.',
    )
  if (interfaces?.type === 'none' && wanted.length > 0)
    return invalid(noInterfaceForIps, 'Request a network interface too, or no external IP addresses.')
  return undefined
}

/** An external address, which is one of IPv4, reaches an instance by the IPv4 address of its primary interface. */
export const noPrimaryIpv4 = (kind: 'ephemeral' | 'floating', instanceId: string): Refusal =>
  invalid(
    `cannot attach ${kind} IP: the primary network interface of instance ${instanceId} has no private IPv4 address`,
    'Make an interface with an IPv4 address the primary one first.',
  )

/** Why an instance cannot have an external address; one without interfaces can, and gets no packets by it. */
export async function primaryProblem(
  tx: Change,
  instanceId: string,
  kind: 'ephemeral' | 'floating',
): Promise<Refusal | undefined> {
  const primary = await tx.read
    .selectFrom('network_interface')
    .select('ip')
    .where('instance_id', '=', instanceId)
    .where('is_primary', '=', true)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return primary && primary.ip === null ? noPrimaryIpv4(kind, instanceId) : undefined
}

/** Allocates the SNAT ports that every instance has, always from the default pool. */
export async function allocateSnat(tx: Change, siloId: string, instanceId: string): Promise<ExternalIp> {
  const { ip_pool_id, ...stretch } = await orGiven(tx, siloId, undefined, () => takePorts(tx, siloId))
  return insertIp(tx, ip_pool_id, stretch, {
    ...unnamed,
    kind: 'snat',
    instance_id: instanceId,
    probe_id: null,
  })
}

export async function allocateEphemeral(
  tx: Change,
  siloId: string,
  instanceId: string,
  poolNameOrId?: string,
): Promise<ExternalIp> {
  needCapability(tx.cx.services.fleet, 'external_addresses')
  const own = { ...unnamed, kind: 'ephemeral', instance_id: instanceId, probe_id: null } as const
  return insertWhole(tx, siloId, poolNameOrId, own)
}

export async function allocateForProbe(
  tx: Change,
  siloId: string,
  probeId: string,
  poolNameOrId?: string,
): Promise<ExternalIp> {
  const own = { ...unnamed, kind: 'ephemeral', instance_id: null, probe_id: probeId } as const
  return insertWhole(tx, siloId, poolNameOrId, own)
}

/** Allocates a floating address: the requested one, or the lowest free one. */
export async function allocateFloating(
  tx: Change,
  project: Row<'project'>,
  { name, description, address_allocator: from }: FloatingIpCreate,
): Promise<ExternalIp> {
  const own = {
    kind: 'floating',
    name,
    description,
    project_id: project.id,
    instance_id: null,
    probe_id: null,
  } as const
  if (from.type === 'auto') return insertWhole(tx, project.silo_id, poolNamed(from.pool_selector), own)
  // An address that no pool has is refused as one of the default pool.
  const holder = await poolOfAddress(tx.read, project.silo_id, parseIpv4(from.ip) ?? -1)
  const pool = await lockPool(tx, project.silo_id, from.pool ?? holder?.id)
  const free = await takeAsked(tx, pool, from.ip)
  if (!free)
    throw invalid(
      ipNotAvailable,
      `Choose a free address of the IP pool ${pool.name}, or leave it out to get one.`,
    )
  return insertIp(tx, pool.id, free, own)
}

/** An address that is asked for is free if it is only reserved. */
export async function takeAsked(tx: Change, pool: LockedPool, ip: string): Promise<Stretch | undefined> {
  const number = parseIpv4(ip)
  if (number !== undefined) await giveAddresses(tx, pool.id, number, number)
  return takeThisAddress(tx, pool, ip)
}

/** Inserts a row with the lowest free address, or else the one that the recycle bin has held for longest. */
const insertWhole = (tx: Change, siloId: string, poolNameOrId: string | undefined, own: Own) =>
  orGiven(tx, siloId, poolNameOrId, async () => {
    const pool = await lockPool(tx, siloId, poolNameOrId)
    return insertIp(tx, pool.id, await takeAddress(tx, pool), own)
  })

/** Allocates an address, and again if the pool was exhausted and a recycle bin gave up one of its addresses. */
async function orGiven<Taken>(
  tx: Change,
  siloId: string,
  poolNameOrId: string | undefined,
  take: () => Promise<Taken>,
): Promise<Taken> {
  try {
    return await take()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'InsufficientCapacity') throw error
    const pool = await lockPool(tx, siloId, poolNameOrId)
    if (!(await giveAddress(tx, pool.id))) throw error
    return take()
  }
}

/** Attaches an address to a new instance; a name refers to the instance's project. */
export async function attachFloating(
  tx: Change,
  project: Row<'project'>,
  instance: Row<'instance'>,
  floatingIpNameOrId: string,
): Promise<ExternalIp> {
  needCapability(tx.cx.services.fleet, 'external_addresses')
  const floating = await tx.lockById('external_ip', await needFloating(tx, project, floatingIpNameOrId))
  refuseIf(attachProblem(instance, floating))
  return floating.instance_id === instance.id
    ? floating
    : tx.update('external_ip', floating, { instance_id: instance.id })
}

/** A floating address belongs to one instance at a time; attaching it again is a no-op. */
export function attachProblem(instance: Row<'instance'>, floating: ExternalIp): Refusal | undefined {
  if (floating.project_id !== instance.project_id)
    return invalid(
      'floating IP must be in the same project as the instance',
      "Choose a floating IP of the instance's project.",
    )
  if (floating.instance_id !== null && floating.instance_id !== instance.id)
    return invalid(
      'floating IP cannot be attached to one instance while still attached to another',
      'Detach it from the other instance first, or choose another floating IP.',
    )
  return undefined
}

/**
 * Called when an instance is deleted: its own addresses are freed, and floating ones are detached, whose ids are
 * returned.
 */
export async function releaseExternalIps(tx: Change, instanceId: string): Promise<string[]> {
  const floating: string[] = []
  for (const row of await liveRows(tx, 'external_ip', 'instance_id', instanceId)) {
    if (row.kind === 'floating') {
      await tx.update('external_ip', row, { instance_id: null })
      floating.push(row.id)
    } else await removeExternalIp(tx, row)
  }
  return floating
}

/** Its ports are free at once. */
export async function removeExternalIp(tx: Change, row: ExternalIp): Promise<void> {
  await tx.remove('external_ip', row)
  await release(tx, row)
}

const unnamed = { name: null, description: null, project_id: null }

type Own = Pick<ExternalIp, 'kind' | 'name' | 'description' | 'project_id' | 'instance_id' | 'probe_id'>

const insertIp = (tx: Change, ip_pool_id: string, stretch: Stretch, own: Own): Promise<ExternalIp> =>
  tx.insert('external_ip', { ...own, ...stretch, ip: formatIpv4(stretch.ip_int), ip_pool_id })

/** A name refers to the project; an id may be anywhere the caller may see. */
async function needFloating(tx: Change, project: Row<'project'>, nameOrId: string): Promise<string> {
  const floating = tx.read
    .selectFrom('external_ip')
    .innerJoin('project', 'project.id', 'external_ip.project_id')
    .select(['external_ip.id', 'project.silo_id', 'external_ip.project_id'])
    .where('external_ip.kind', '=', 'floating')
    .where('external_ip.time_deleted', 'is', null)
  const row = await (
    isUuid(nameOrId)
      ? floating.where('external_ip.id', '=', canonicalUuid(nameOrId))
      : floating.where('external_ip.project_id', '=', project.id).where('external_ip.name', '=', nameOrId)
  ).executeTakeFirst()
  if (!row || !sees(tx.cx, 'external_ip', row)) throw addressOf('floating-ip', nameOrId)
  return row.id
}
