import { instanceLimits, type RunState } from '@gantry/api/compute/instance.rules'
import { whyNotInstance } from '#/features/instances/reasons.ts'
import { addressPools } from '#/features/ip-pools/parts.tsx'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import { type IpVersion, ipVersions, versionOf, versionsIn } from '#/features/ip-pools/ip-version.ts'
import { type ExternalIp, type FloatingIp, type NetworkInterface, reachableIps } from './queries.ts'

export const whyNoMoreInterfaces = (interfaces: readonly unknown[]): string | undefined =>
  interfaces.length >= instanceLimits.networkInterfaces
    ? `An instance has at most ${instanceLimits.networkInterfaces} network interfaces`
    : undefined

/** Why neither kind of address can be attached. */
export const whyNoMoreIps = (state: RunState, ips: readonly ExternalIp[]): string | undefined =>
  whyNotInstance('attachExternalIp', state) ??
  (reachableIps(ips).length >= instanceLimits.externalIps
    ? `An instance has at most ${instanceLimits.externalIps} external IPs`
    : undefined)

type Interfaces = readonly Pick<NetworkInterface, 'primary' | 'ipStack'>[]

/** The IP versions of which external addresses reach an instance: those of its primary interface. */
function reachedBy(interfaces: Interfaces): readonly IpVersion[] {
  const stack = interfaces.find(({ primary }) => primary)?.ipStack.type
  return stack === undefined ? [] : versionsIn(stack)
}

/**
 * Those of which an instance could have an ephemeral address, and has none. IPv6 is offered where the silo has a pool for
 * it: most have none. `pools` is null if the user may not list them.
 */
export const missingVersions = (
  ips: readonly ExternalIp[],
  interfaces: Interfaces,
  pools: readonly IpPool[] | null,
): IpVersion[] =>
  reachedBy(interfaces).filter(
    (version) =>
      !ips.some(({ kind, ip }) => kind === 'ephemeral' && versionOf(ip) === version) &&
      (version === 'v4' || addressPools(pools ?? [], ['v6']).length > 0),
  )

/** Those that can be attached; one to an instance without any interface, too, which it does not reach yet. */
export function freeFloatingIps(
  floatingIps: readonly FloatingIp[],
  interfaces: Interfaces = [],
): FloatingIp[] {
  const versions = interfaces.length === 0 ? ipVersions : reachedBy(interfaces)
  return floatingIps.filter(({ ip, instanceId }) => !instanceId && versions.includes(versionOf(ip)))
}

export const whyNoFloatingIp = (free: readonly FloatingIp[]): string | undefined =>
  free.length === 0 ? 'No floating IP is available' : undefined

export const whyNotDetach = (kind: ExternalIp['kind'], state: RunState): string | undefined =>
  kind === 'snat' ? 'SNAT addresses cannot be detached' : whyNotInstance('detachExternalIp', state)

export const whyNotPrimary = (one: Pick<NetworkInterface, 'primary'>, state: RunState): string | undefined =>
  one.primary
    ? 'It is already the primary network interface'
    : whyNotInstance('updateNetworkInterface', state)

/** The primary interface may be deleted if it is the last. */
export const whyNotDeleteInterface = (
  one: Pick<NetworkInterface, 'primary'>,
  all: readonly unknown[],
  state: RunState,
): string | undefined =>
  whyNotInstance('updateNetworkInterface', state) ??
  (one.primary && all.length > 1
    ? 'The primary network interface cannot be deleted while there are others. Make another one primary first.'
    : undefined)
