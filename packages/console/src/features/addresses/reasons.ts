import { instanceLimits, type RunState } from '@gantry/api/compute/instance.rules'
import { whyNotInstance } from '#/features/instances/reasons.ts'
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

export const freeFloatingIps = (floatingIps: readonly FloatingIp[]): FloatingIp[] =>
  floatingIps.filter(({ instanceId }) => !instanceId)

export const whyNoFloatingIp = (floatingIps: readonly FloatingIp[]): string | undefined =>
  freeFloatingIps(floatingIps).length === 0 ? 'No floating IP is available' : undefined

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
