import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { GatewayPool } from '../queries.ts'
import type { GatewayParts } from './parts.ts'

/** Why no address can be attached to a gateway, which has at most one. */
export const whyNoMoreAddresses = (addresses: GatewayParts['addresses']): string | undefined =>
  Array.isArray(addresses) && addresses.length > 0 ? 'A gateway has at most one IP address' : undefined

/** Why no pool can be attached to a gateway. The silo's pools may still be loading. */
export function whyNoMorePools(
  attached: readonly Pick<GatewayPool, 'ipPoolId'>[] | 'unknown' | undefined,
  ofSilo: readonly Pick<IpPool, 'id'>[] | undefined,
): string | undefined {
  if (!ofSilo || !Array.isArray(attached)) return undefined
  if (ofSilo.length === 0) return 'No IP pool is linked to this silo'
  const ids = new Set(attached.map(({ ipPoolId }) => ipPoolId))
  return ofSilo.every(({ id }) => ids.has(id)) ? 'All IP pools of the silo are attached' : undefined
}
