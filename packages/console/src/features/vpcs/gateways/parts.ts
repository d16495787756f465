import { useQuery } from '@tanstack/react-query'
import { type Deferred, deferredOf } from '#/kit/page/deferred.tsx'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import {
  allRouters,
  type Gateway,
  type GatewayAddress,
  gatewayAddresses,
  type GatewayPool,
  gatewayPools,
  type Route,
  routesOf,
} from '../queries.ts'

/** The attachments of gateways, and the routes of their VPC. Loads after the gateways. */
export interface GatewayParts {
  pools: Deferred<readonly GatewayPool[]>
  addresses: Deferred<readonly GatewayAddress[]>
  routes: Deferred<readonly Route[]>
}

export function useGatewayParts(
  project: string,
  vpc: string,
  gateways: readonly Gateway[] | undefined,
): GatewayParts {
  const { data: routers } = useQuery(allRouters(project, vpc))
  return {
    pools: deferredOf(useQuery(gatewayPools(gateways))),
    addresses: deferredOf(useQuery(gatewayAddresses(gateways))),
    routes: deferredOf(useQuery(routesOf(routers))),
  }
}

/** Treats unreadable items as absent: without a cascade, the server refuses a harmful deletion anyway. */
export const known = <Item>(items: Deferred<readonly Item[]>): readonly Item[] =>
  items === undefined || items === 'unknown' ? [] : items

/** The routes whose target is the gateway. */
export const routesTo = <One extends Pick<Route, 'target'>>(
  { name }: Pick<Gateway, 'name'>,
  routes: readonly One[],
): One[] => routes.filter(({ target }) => target.type === 'internet_gateway' && target.value === name)

/** Why no address can be attached to a gateway, which has at most one. */
export const whyNoMoreAddresses = (addresses: GatewayParts['addresses']): string | undefined =>
  Array.isArray(addresses) && addresses.length > 0 ? 'A gateway has at most one IP address' : undefined

/** Why no pool can be attached to a gateway. The silo's pools may still be loading, or be hidden from the user. */
export function whyNoMorePools(
  attached: readonly Pick<GatewayPool, 'ipPoolId'>[] | 'unknown' | undefined,
  ofSilo: readonly Pick<IpPool, 'id'>[] | null | undefined,
): string | undefined {
  if (ofSilo === null) return 'You cannot view the IP pools of this silo'
  if (!ofSilo || !Array.isArray(attached)) return undefined
  if (ofSilo.length === 0) return 'No IP pool is linked to this silo'
  const ids = new Set(attached.map(({ ipPoolId }) => ipPoolId))
  return ofSilo.every(({ id }) => ids.has(id)) ? 'All IP pools of the silo are attached' : undefined
}
