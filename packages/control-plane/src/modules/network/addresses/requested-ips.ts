import { instanceLimits, noInterfaceForIps } from '@gantry/api/compute/instance.rules'
import type { InstanceCreate } from '@gantry/api/compute/instance'
import type { PoolSelector } from '@gantry/api/network/pool-selector'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { invalid, type Refusal, refuseIf } from '@gantry/control-plane/context/refusal'
import {
  allocateEphemeral,
  attachFloating,
  primaryProblem,
  tooManyExternalIps,
  type Version,
  versionOf,
} from './external-ips.ts'
import { selectedPool } from './pools.ts'

const oneEphemeralOfEach = invalid(
  'An instance may not have more than 1 ephemeral IP address',
  'Request one, or one of IPv4 and one of IPv6, each by its version or its pool. Attach floating IPs for more.',
)

/** Validates the list without any look-up (control plane reference, B 3.2). */
export function externalIpRequestProblem({
  external_ips: wanted,
  network_interfaces: interfaces,
}: Pick<InstanceCreate, 'external_ips' | 'network_interfaces'>): Refusal | undefined {
  if (wanted.length > instanceLimits.externalIps) return tooManyExternalIps
  const pools = wanted.flatMap((one) => (one.type === 'ephemeral' ? [one.pool_selector] : []))
  if (pools.length > 1 && !canBeOfEachVersion(pools)) return oneEphemeralOfEach
  if (interfaces?.type === 'none' && wanted.length > 0)
    return invalid(noInterfaceForIps, 'Request a network interface too, or no external IP addresses.')
  return undefined
}

/** The version of a pool that is named is known only when it is looked up. */
function canBeOfEachVersion(pools: readonly PoolSelector[]): boolean {
  const given = pools.map((one) => (one.type === 'explicit' ? one.pool : one.ip_version))
  return (
    pools.length === instanceLimits.ephemeralIps &&
    given.every((one) => one !== undefined && one !== null) &&
    given[0] !== given[1]
  )
}

/** Gives a new instance the external addresses of its request, which reach it by its primary interface. */
export async function giveExternalIps(
  tx: Change,
  project: Row<'project'>,
  instance: Row<'instance'>,
  primary: Row<'network_interface'> | undefined,
  wanted: InstanceCreate['external_ips'],
): Promise<void> {
  let other: Version | undefined
  for (const one of wanted) {
    if (one.type === 'ephemeral' && other) {
      const pool = await selectedPool(tx.read, project.silo_id, one.pool_selector)
      refuseIf(pool.ip_version === other && oneEphemeralOfEach)
    }
    const own =
      one.type === 'ephemeral'
        ? await allocateEphemeral(tx, project.silo_id, instance.id, one.pool_selector)
        : await attachFloating(tx, project, instance, one.floating_ip)
    const version = versionOf(own)
    refuseIf(primaryProblem(primary, { kind: one.type, instance_id: instance.id }, version))
    if (one.type === 'ephemeral') other = version
  }
}
