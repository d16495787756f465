import type {
  NetworkHop,
  NetworkInterface,
  NetworkSubnet,
  VpcNetwork,
} from '../../packages/control-plane/src/fleet/networks.ts'
import {
  inside,
  joined,
  narrowest,
  outside,
  type Span,
  spanOf,
  type ValuedSpan,
} from '../../packages/server/src/fleet/qemu/network/spans.ts'
import { type Acl, aclsOf } from './acls.ts'
import { blocksOf, braces } from './matches.ts'

/** A VPC in the words of OVN's northbound database: one router, one switch for each subnet, and one to the outside. */
export interface Northbound {
  switches: readonly { name: string; subnet: NetworkSubnet; gatewayMac: string }[]
  ports: readonly { name: string; subnetId: string; mac: string; addresses: readonly string[]; ip: string }[]
  acls: readonly Acl[]
  policies: readonly Policy[]
  translations: readonly Translation[]
  /** Addresses that the outside may send to. */
  reachable: readonly string[]
}
interface Policy {
  priority: number
  match: string
  action: 'allow' | 'drop' | 'reroute'
  nexthop?: string
}
interface Translation {
  type: 'dnat' | 'snat'
  external: string
  logical: string
  ports?: string
  /** The other ends for which it holds. */
  peers: readonly string[]
}

/** Of the router's policies: only the first that fits holds. */
const priorities = { closed: 120, answer: 110, inside: 100, leaving: 90, arriving: 80, none: 1 } as const
/** The router's own address outside. */
export const OUTSIDE = '192.0.2.1'

export const routerPort = (name: string): string => `router-${name}`
export const outsidePort = (vpcId: string): string => `router-${vpcId}-outside`
export const gatewayMac = (index: number): string =>
  `0a:67:00:00:00:${(index + 1).toString(16).padStart(2, '0')}`

export function northboundOf(network: VpcNetwork): Northbound {
  const switches = network.subnets.map((subnet, index) => ({
    name: `${network.id}/${subnet.id}`,
    subnet,
    gatewayMac: gatewayMac(index),
  }))
  const external = new Set(network.interfaces.flatMap((one) => one.external.map(({ ip }) => ip)))
  const nameOf = new Map(switches.map(({ name, subnet }) => [subnet.id, name]))
  const subnetOf = new Map(network.subnets.map((subnet) => [subnet.id, subnet]))
  const leading = network.interfaces.map((one) => ({
    one,
    ways: waysOf(subnetOf.get(one.subnet_id), network),
  }))
  const translations = leading.flatMap(({ one, ways }) => translationsOf(one, ways))
  const received = new Set(translations.flatMap(({ type, external }) => (type === 'dnat' ? [external] : [])))
  const closed = [...external].filter((ip) => !received.has(ip))
  const routers = [OUTSIDE, ...network.subnets.map(({ gateway }) => gateway)]
  const fromInside = `inport == ${braces(switches.map(({ name }) => `"${routerPort(name)}"`))}`
  return {
    switches,
    ports: network.interfaces.map((one) => ({
      name: one.id,
      subnetId: one.subnet_id,
      mac: one.mac.toLowerCase(),
      addresses: [one.ip, ...one.transit_ips],
      ip: one.ip,
    })),
    acls: aclsOf(network),
    policies: [
      // What a router itself answers.
      { priority: priorities.answer, match: `ip4.src == ${braces(routers)}`, action: 'allow' },
      // No interface answers at an address that is shared by ports, or that no route leads back from.
      ...(closed.length === 0
        ? []
        : [
            {
              priority: priorities.closed,
              match: `${fromInside} && ip4.dst == ${braces(closed)}`,
              action: 'drop',
            } as const,
          ]),
      ...switches.flatMap(({ name, subnet }) => policiesOf(routerPort(name), subnet, network)),
      ...leading.flatMap(({ one, ways }) => ways.flatMap((way) => leaving(one, way, nameOf))),
      ...leading.flatMap(({ one, ways }) => arriving(one, ways, network)),
      { priority: priorities.none, match: '1', action: 'drop' },
    ],
    translations,
    reachable: [...external],
  }
}

interface Way {
  gatewayId: string
  /** Destinations that the routes of the subnet lead to the gateway. */
  blocks: readonly string[]
}

/** Which destinations lead to which gateway, from a subnet. */
function waysOf(subnet: NetworkSubnet | undefined, network: VpcNetwork): Way[] {
  if (!subnet) return []
  const byGateway = new Map<string, Span[]>()
  for (const span of ledSpans(subnet, network))
    if (span.value.type === 'gateway')
      byGateway.set(span.value.gateway_id, [...(byGateway.get(span.value.gateway_id) ?? []), span])
  return [...byGateway].map(([gatewayId, spans]) => ({ gatewayId, blocks: spans.flatMap(blocksOf) }))
}

function ledSpans({ routes }: NetworkSubnet, { subnets, interfaces }: VpcNetwork): ValuedSpan<NetworkHop>[] {
  const blocks = subnets.map(({ block }) => spanOf(block))
  return narrowest(routes.map(({ block, hop }) => ({ block, value: hop }))).flatMap((span) => {
    const { value } = span
    const part = (spans: readonly Span[]) => spans.map((one) => ({ ...one, value }))
    if (value.type === 'local') return part(inside(span, blocks))
    if (value.type === 'gateway') return part(outside(span, blocks))
    if (value.type === 'drop') return []
    const one = interfaces.find(({ id }) => id === value.interface_id)
    return one ? part(inside(span, ownSpans(one))) : []
  })
}

const ownSpans = ({ ip, transit_ips }: NetworkInterface) =>
  narrowest([`${ip}/32`, ...transit_ips].map((block) => ({ block, value: true })))

function policiesOf(inport: string, subnet: NetworkSubnet, network: VpcNetwork): Policy[] {
  const byHop = new Map<string, { hop: NetworkHop; spans: Span[] }>()
  for (const span of ledSpans(subnet, network)) {
    const key = JSON.stringify(span.value)
    const group = byHop.get(key) ?? { hop: span.value, spans: [] }
    group.spans.push(span)
    byHop.set(key, group)
  }
  return [...byHop.values()].flatMap(({ hop, spans }): Policy[] => {
    const blocks = joined(spans.map((one) => ({ ...one, value: '' }))).flatMap(blocksOf)
    const match = `inport == "${inport}" && ip4.dst == ${braces(blocks)}`
    if (hop.type === 'local') return [{ priority: priorities.inside, match, action: 'allow' }]
    if (hop.type !== 'interface') return []
    const one = network.interfaces.find(({ id }) => id === hop.interface_id)
    return one ? [{ priority: priorities.inside, match, action: 'reroute', nexthop: one.ip }] : []
  })
}

/** The external address of an interface for a gateway. */
const carriedBy = ({ external }: NetworkInterface, gatewayId: string) =>
  external.find(({ gateway_ids }) => gateway_ids.includes(gatewayId))

function leaving(one: NetworkInterface, way: Way, nameOf: ReadonlyMap<string, string>): Policy[] {
  if (!carriedBy(one, way.gatewayId) || way.blocks.length === 0) return []
  const inport = routerPort(nameOf.get(one.subnet_id) ?? '')
  const sources = braces(ownSpans(one).flatMap(blocksOf))
  const match = `inport == "${inport}" && ip4.src == ${sources} && ip4.dst == ${braces(way.blocks)}`
  return [{ priority: priorities.leaving, match, action: 'allow' }]
}

const reachableOf = ({ is_primary, external }: NetworkInterface) =>
  is_primary ? external.filter(({ kind }) => kind !== 'snat') : []

/** What was translated on its way in, from where the routes of its receiver lead back. */
function arriving(one: NetworkInterface, ways: readonly Way[], { id }: VpcNetwork): Policy[] {
  if (reachableOf(one).length === 0) return []
  const blocks = ways.filter(({ gatewayId }) => carriedBy(one, gatewayId)).flatMap((way) => way.blocks)
  if (blocks.length === 0) return []
  const match = `inport == "${outsidePort(id)}" && ip4.dst == ${one.ip} && ip4.src == ${braces(blocks)}`
  return [{ priority: priorities.arriving, match, action: 'allow' }]
}

function translationsOf(one: NetworkInterface, ways: readonly Way[]): Translation[] {
  const inbound = reachableOf(one).flatMap((address): Translation[] => {
    const peers = ways
      .filter(({ gatewayId }) => address.gateway_ids.includes(gatewayId))
      .flatMap((way) => way.blocks)
    return peers.length === 0 ? [] : [{ type: 'dnat', external: address.ip, logical: one.ip, peers }]
  })
  const outbound = ways.flatMap((way): Translation[] => {
    const address = carriedBy(one, way.gatewayId)
    if (!address || way.blocks.length === 0) return []
    const ports =
      address.kind === 'snat' ? { ports: `${Math.max(1, address.first_port)}-${address.last_port}` } : {}
    return ownSpans(one)
      .flatMap(blocksOf)
      .map((logical) => ({ type: 'snat', external: address.ip, logical, peers: way.blocks, ...ports }))
  })
  return [...inbound, ...outbound]
}
