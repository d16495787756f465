import type { IpAddress, IpNet } from '@gantry/api/base/ip.rules'
import type { RouterRoute } from '@gantry/api/network/vpc-router'
import { isTakenBefore } from '@gantry/api/network/vpc-router.rules'
import {
  type Gateway,
  type Instance,
  type Interface,
  ip,
  type Named,
  net,
  netHolds,
  type NetworkRows,
  type Party,
  type Subnet,
} from './model.ts'

/** The target of a route for matching packets. */
export type Hop =
  | { type: 'subnet' }
  | { type: 'gateway'; gateway: Gateway }
  | { type: 'interface'; interface: Interface }
  /** An address that no interface has. */
  | { type: 'unused' }
  | { type: 'drop' }

export interface PreparedRoute {
  route: Named
  router: Named & { kind: 'system' | 'custom' }
  nets: readonly IpNet[]
  hop: Hop
}

interface RouteTargets {
  subnets: readonly Subnet[]
  instances: readonly Instance[]
  gateways: readonly Gateway[]
  interfaceAt: (address: IpAddress) => Interface | undefined
}

/** The effective routes: one that refers to missing names is ignored (B 11.2). */
export function prepareRoutes(rows: NetworkRows, targets: RouteTargets): PreparedRoute[] {
  const routers = new Map(rows.routers.map((router) => [router.id, router]))
  const gateways = new Map(targets.gateways.map((gateway) => [gateway.name, gateway] as const))
  return rows.routes.flatMap(({ id, name, vpc_router_id, destination, target }) => {
    const router = routers.get(vpc_router_id)
    const nets = netsOf(destination, targets)
    const hop = hopOf(target, targets, gateways)
    return router && hop && nets.length > 0 ? [{ route: { id, name }, router, nets, hop }] : []
  })
}

function netsOf({ type, value }: RouterRoute['destination'], { subnets }: RouteTargets): readonly IpNet[] {
  switch (type) {
    case 'ip':
      return [net(`${value}/${value.includes(':') ? 128 : 32}`)]
    case 'ip_net':
      return [net(value)]
    case 'subnet':
      return subnets.find((subnet) => subnet.name === value)?.blocks ?? []
    case 'vpc':
      return []
    default:
      throw new Error(type satisfies never)
  }
}

function hopOf(
  target: RouterRoute['target'],
  { subnets, instances, interfaceAt }: RouteTargets,
  gateways: ReadonlyMap<string, Gateway>,
): Hop | undefined {
  switch (target.type) {
    case 'drop':
      return { type: 'drop' }
    case 'ip': {
      const found = interfaceAt(ip(target.value))
      return found ? { type: 'interface', interface: found } : { type: 'unused' }
    }
    case 'instance': {
      const primary = instances.find((instance) => instance.name === target.value)?.interfaces[0]
      return primary && { type: 'interface', interface: primary }
    }
    case 'internet_gateway': {
      const gateway = gateways.get(target.value)
      return gateway && { type: 'gateway', gateway }
    }
    case 'subnet':
      return subnets.some((subnet) => subnet.name === target.value) ? { type: 'subnet' } : undefined
    case 'vpc':
      return undefined
    default:
      throw new Error(target satisfies never)
  }
}

/** Whether packets from a subnet follow a route: those of the system router, and of the subnet's custom one. */
export const isRouteOf = ({ router }: PreparedRoute, { customRouterId }: Subnet): boolean =>
  router.kind === 'system' || router.id === customRouterId

/**
 * The route of a packet from a subnet: the narrowest match; on equal width, the subnet's custom router before
 * the system router, then the first by name.
 */
export function chooseRoute(
  routes: readonly PreparedRoute[],
  subnet: Subnet,
  destination: Party,
): PreparedRoute | undefined {
  let best: { candidate: PreparedRoute; width: number } | undefined
  for (const candidate of routes) {
    if (!isRouteOf(candidate, subnet)) continue
    for (const network of candidate.nets)
      if (netHolds(network, destination) && wins(candidate, network.width, best))
        best = { candidate, width: network.width }
  }
  return best?.candidate
}

function wins(
  candidate: PreparedRoute,
  width: number,
  best: { candidate: PreparedRoute; width: number } | undefined,
): boolean {
  if (!best) return true
  return width === best.width ? precedes(candidate, best.candidate) : width > best.width
}

/** Which of two routes with the same network applies. */
export function precedes({ router, route }: PreparedRoute, other: PreparedRoute): boolean {
  if (router.kind !== other.router.kind) return router.kind === 'custom'
  return isTakenBefore(route, other.route)
}
