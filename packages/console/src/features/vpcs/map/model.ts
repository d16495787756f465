import { addressesOf } from '@gantry/api/network/interface-addresses.rules'
import type { RunState } from '@gantry/api/compute/instance.rules'
import type { Gateway, NetworkInterface, Route, Router, Subnet } from '../queries.ts'
import { routesTo } from '../gateways/parts.ts'

/** The API objects of a VPC that the map needs. */
export interface Parts {
  subnets: readonly Pick<Subnet, 'id' | 'name' | 'ipv4Block' | 'ipv6Block' | 'customRouterId'>[]
  routers: readonly Pick<Router, 'id' | 'name' | 'kind'>[]
  gateways: readonly Pick<Gateway, 'id' | 'name'>[]
  routes: readonly Pick<Route, 'id' | 'name' | 'vpcRouterId' | 'destination' | 'target'>[]
  interfaces: readonly Pick<NetworkInterface, 'subnetId' | 'instanceId' | 'ipStack'>[]
  instances: readonly { id: string; name: string; runState: RunState }[]
}

export interface MapInstance {
  id: string
  name: string
  state: RunState
  /** Its address in the subnet. */
  ip: string
}

export interface MapSubnet {
  id: string
  name: string
  blocks: readonly [ipv4: string, ipv6: string]
  routerId: string | undefined
  instances: readonly MapInstance[]
}

export interface MapRouter {
  id: string
  name: string
  kind: Router['kind']
  routes: Parts['routes']
  /** The gateways of its routes, each with the destinations. */
  exits: readonly { gatewayId: string; destinations: readonly string[] }[]
  /** Subnets with an instance that its routes lead through. */
  through: readonly string[]
}

export interface VpcMap {
  subnets: readonly MapSubnet[]
  routers: readonly MapRouter[]
  gateways: Parts['gateways']
}

/** The resources of a VPC and the connections between them. */
export function mapOf(parts: Parts): VpcMap {
  const system = parts.routers.find(({ kind }) => kind === 'system')
  const inside = instancesBySubnet(parts)
  const subnets = parts.subnets.map(({ id, name, ipv4Block, ipv6Block, customRouterId }) => ({
    id,
    name,
    blocks: [ipv4Block, ipv6Block] as const,
    routerId: customRouterId ?? system?.id,
    instances: inside.get(id) ?? [],
  }))
  const routers = parts.routers.map((router) => ({
    ...router,
    ...routesOfRouter(
      parts,
      subnets,
      parts.routes.filter(({ vpcRouterId }) => vpcRouterId === router.id),
    ),
  }))
  return { subnets, routers, gateways: parts.gateways }
}

function instancesBySubnet({ interfaces, instances }: Parts): Map<string, MapInstance[]> {
  const byId = new Map(instances.map((instance) => [instance.id, instance]))
  const inside = new Map<string, MapInstance[]>()
  for (const { subnetId, instanceId, ipStack } of interfaces) {
    const instance = byId.get(instanceId)
    // A new instance, which the next answer will include.
    if (!instance) continue
    const { id, name, runState } = instance
    const list = inside.get(subnetId) ?? []
    list.push({ id, name, state: runState, ip: addressesOf({ ipStack }).join(', ') })
    inside.set(subnetId, list)
  }
  for (const list of inside.values()) list.sort(failedFirst)
  return inside
}

/** Failed instances first, so that they are never among those only counted. */
const failedFirst = (one: MapInstance, other: MapInstance): number =>
  Number(other.state === 'failed') - Number(one.state === 'failed') ||
  one.name.localeCompare(other.name, undefined, { numeric: true })

function routesOfRouter({ gateways }: Parts, subnets: readonly MapSubnet[], routes: Parts['routes']) {
  const exits = gateways.flatMap((gateway) => {
    const destinations = routesTo(gateway, routes).map(({ destination }) => destination.value)
    return destinations.length > 0 ? [{ gatewayId: gateway.id, destinations }] : []
  })
  const named = new Set(routes.flatMap(({ target }) => (target.type === 'instance' ? [target.value] : [])))
  const addressed = new Set(routes.flatMap(({ target }) => (target.type === 'ip' ? [target.value] : [])))
  const through = subnets
    .filter(({ instances }) => instances.some(({ name, ip }) => named.has(name) || addressed.has(ip)))
    .map(({ id }) => id)
  return { routes, exits, through }
}
