import { useQuery } from '@tanstack/react-query'
import { type Deferred, deferredOf } from '#/features/common/DeferredValue.tsx'
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

/** What is attached to gateways, and the routes of their VPC. Loads after the gateways. */
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

/** What could not be read counts as absent: without a cascade, the server refuses to delete what it protects. */
export const known = <Item>(items: Deferred<readonly Item[]>): readonly Item[] =>
  items === undefined || items === 'unknown' ? [] : items
