import { sees } from '@gantry/control-plane/lookup/location'
import { type IpAddress, parseIp } from '@gantry/api/base/ip.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import type { FloatingIpCreate } from '@gantry/api/network/floating-ip'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import type { PoolSelector } from '@gantry/api/network/pool-selector'
import { ipNotAvailable } from '@gantry/api/network/floating-ip.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import { liveRows } from '@gantry/control-plane/change/children'
import type { Change } from '@gantry/control-plane/change/change'
import { addressOf } from '@gantry/control-plane/lookup/need'
import { invalid, Refusal, refuseIf } from '@gantry/control-plane/context/refusal'
import { release, takeAddress, takePorts, takeThisAddress } from './free-address.ts'
import { giveAddress, giveAddresses } from '../../recycle-bin/give-way.ts'
import { type LockedPool, lockPool, poolOfAddress, poolOfPorts } from './pools.ts'
import type { Stretch } from './stretch.ts'

type ExternalIp = Row<'external_ip'>

export const tooManyExternalIps = invalid(
  `An instance may not have more than ${instanceLimits.externalIps} external IP addresses`,
  `Use at most ${instanceLimits.externalIps} addresses, not counting the shared SNAT address.`,
)

export type Version = Row<'ip_pool'>['ip_version']
export const versionNames = { v4: 'IPv4', v6: 'IPv6' } as const

export const versionOf = ({ ip_int }: Pick<ExternalIp, 'ip_int'>): Version => (ip_int === null ? 'v6' : 'v4')

/** An external address reaches an instance by the address of its version that the primary interface has. */
const noPrimaryAddress = (kind: 'ephemeral' | 'floating', version: Version, instanceId: string): Refusal =>
  invalid(
    `cannot attach ${kind} IP: the primary network interface of instance ${instanceId} has no private ${versionNames[version]} address`,
    `Make an interface with an ${versionNames[version]} address the primary one first.`,
  )

type Primary = Pick<Row<'network_interface'>, 'ip' | 'ipv6'> | undefined

/** Why an address cannot reach an instance by its primary interface; one without interfaces gets no packets. */
export function primaryProblem(
  primary: Primary,
  { kind, instance_id }: { kind: 'ephemeral' | 'floating'; instance_id: string },
  version: Version,
): Refusal | undefined {
  const own = version === 'v4' ? primary?.ip : primary?.ipv6
  return own === null ? noPrimaryAddress(kind, version, instance_id) : undefined
}

export const primaryOf = (tx: Change, instanceId: string): Promise<Primary> =>
  tx.read
    .selectFrom('network_interface')
    .select(['ip', 'ipv6'])
    .where('instance_id', '=', instanceId)
    .where('is_primary', '=', true)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()

/** Allocates the SNAT ports that every instance has, always from the default pool. */
export async function allocateSnat(tx: Change, siloId: string, instanceId: string): Promise<ExternalIp> {
  const { ip_pool_id, ...stretch } = await orGiven(tx, siloId, poolOfPorts, () => takePorts(tx, siloId))
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
  selector: PoolSelector,
): Promise<ExternalIp> {
  const own = { ...unnamed, kind: 'ephemeral', instance_id: instanceId, probe_id: null } as const
  needExternal(tx)
  const made = await insertWhole(tx, siloId, selector, own)
  needExternal(tx, made)
  return made
}

/** Refuses external addresses that the fleet does not carry, also before one is known. */
export function needExternal({ cx }: Pick<Change, 'cx'>, address?: ExternalIp): void {
  needCapability(cx.services.fleet, 'external_addresses')
  if (address && versionOf(address) === 'v6') needCapability(cx.services.fleet, 'ipv6')
}

/** A probe has an interface of IPv4 alone. */
export async function allocateForProbe(
  tx: Change,
  siloId: string,
  probeId: string,
  selector: PoolSelector,
): Promise<ExternalIp> {
  const own = { ...unnamed, kind: 'ephemeral', instance_id: null, probe_id: probeId } as const
  const wanted =
    selector.type === 'auto' ? { ...selector, ip_version: selector.ip_version ?? 'v4' } : selector
  const made = await insertWhole(tx, siloId, wanted, own)
  if (versionOf(made) === 'v6')
    throw invalid(
      'a probe has no private IPv6 address',
      'Choose an IP pool of IPv4 for its external address.',
    )
  return made
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
  if (from.type === 'auto') return insertWhole(tx, project.silo_id, from.pool_selector, own)
  const ip = parseIp(from.ip)
  if (!ip) throw new Error(`${from.ip} is no address`)
  const named = from.pool ?? (await poolOfAddress(tx.read, project.silo_id, ip))?.id
  const isNamed = named !== undefined && named !== null
  // An IPv4 address that no pool has is refused as one of the default pool, which every silo in use has.
  if (!isNamed && ip.version === 6)
    throw invalid(
      ipNotAvailable,
      'No IP pool of this silo has it. Choose another, or leave it out to get one.',
    )
  const pool = await lockPool(
    tx,
    project.silo_id,
    isNamed ? { type: 'explicit', pool: named } : { type: 'auto', ip_version: 'v4' },
  )
  const free = await takeAsked(tx, pool, ip)
  if (!free)
    throw invalid(
      ipNotAvailable,
      `Choose a free address of the IP pool ${pool.name}, or leave it out to get one.`,
    )
  return insertIp(tx, pool.id, free, own)
}

/** An address that is asked for is free if it is only reserved. */
async function takeAsked(tx: Change, pool: LockedPool, ip: IpAddress): Promise<Stretch | undefined> {
  const key = addressKey(ip)
  await giveAddresses(tx, pool.id, { first_key: key, last_key: key })
  return takeThisAddress(tx, pool, ip)
}

/** Inserts a row with the lowest free address, or else the one that the recycle bin has held for longest. */
const insertWhole = (tx: Change, siloId: string, selector: PoolSelector, own: Own) =>
  orGiven(tx, siloId, selector, async () => {
    const pool = await lockPool(tx, siloId, selector)
    return insertIp(tx, pool.id, await takeAddress(tx, pool), own)
  })

/** Allocates an address, and again if the pool was exhausted and a recycle bin gave up one of its addresses. */
async function orGiven<Taken>(
  tx: Change,
  siloId: string,
  selector: PoolSelector,
  take: () => Promise<Taken>,
): Promise<Taken> {
  try {
    return await take()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'InsufficientCapacity') throw error
    const pool = await lockPool(tx, siloId, selector)
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
  needExternal(tx)
  const floating = await tx.lockById('external_ip', await needFloating(tx, project, floatingIpNameOrId))
  needExternal(tx, floating)
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
  tx.insert('external_ip', { ...own, ...stretch, ip_pool_id })

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
