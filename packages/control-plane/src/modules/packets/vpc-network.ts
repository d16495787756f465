import { formatIp, formatIpNet, type IpNet, netWithin } from '@gantry/api/base/ip.rules'
import type {
  ExternalAddress,
  NetworkHop,
  NetworkInterface,
  NetworkProtocol,
  NetworkRange,
  NetworkRoute,
  NetworkRule,
  VpcNetwork,
} from '../../fleet/networks.ts'
import { breather } from '../../context/pauses.ts'
import { formatMac } from '../network/addresses/ip.ts'
import { carries } from './gateways.ts'
import { addressIn, type ExternalIp, type Interface, net, type NetworkRows, type Subnet } from './model.ts'
import { type Network, prepareNetwork } from './network.ts'
import { type Hop, isRouteOf, precedes, type PreparedRoute } from './routes.ts'
import {
  hostMatcher,
  icmpCodesOf,
  matchedTarget,
  matchesAny,
  portsOf,
  type PreparedRule,
  prepareRulesInTurns,
} from './rules.ts'

/** The state of a VPC for its fleet, without its generation. */
export type VpcState = Omit<VpcNetwork, 'generation'>

/**
 * Resolves a VPC for a fleet that knows only addresses: looks up names, decides ties between routes,
 * orders rules, and omits ineffective parts, while others work in between. The order of the rows does not matter. `machines` has the machine of
 * each running instance.
 */
export async function resolveNetwork(
  rows: NetworkRows,
  machines: ReadonlyMap<string, string>,
): Promise<VpcState> {
  const network = prepareNetwork(rows, await prepareRulesInTurns(rows.rules, rows.vpc.name))
  const { id, dns_name, vni } = rows.vpc
  const breath = breather()
  const rules: NetworkRule[] = []
  const interfaces = [...network.instances.values()]
    .flatMap((instance) => instance.interfaces)
    .filter((one) => addressIn(one, 4))
    .sort(byId)
  for (const rule of network.rules) {
    rules.push(...ruleOf(rule, rows.vpc.name, interfaces))
    await breath()
  }
  return {
    id,
    vni,
    dns_name,
    subnets: network.subnets.toSorted(byId).map((subnet) => ({
      id: subnet.id,
      ...ipv4Of(subnet),
      routes: routesOf(network, subnet),
    })),
    interfaces: interfaces.map(interfacesOf(rows, network, machines)),
    rules,
  }
}

/** Fleets with networks of their own carry IPv4, and get only interfaces that have it. */
function ipv4Text(one: Pick<Interface, 'addresses'>): string {
  const address = addressIn(one, 4)
  if (!address) throw new Error('an interface without IPv4 on a fleet that carries nothing else')
  return formatIp(address)
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1)

/** The block, and the router's address: the first after the network's own. */
function ipv4Of({ blocks }: Subnet): { block: string; gateway: string } {
  const block = blocks.find(({ version }) => version === 4)
  if (!block) throw new Error('every subnet has an IPv4 block')
  return { block: formatBlock(block), gateway: formatIp({ version: 4, value: block.first + 1n }) }
}

const formatBlock = (net: IpNet): string => formatIpNet({ ...net, address: net.first })

/** One route for each block: the effective one of several. */
function routesOf({ routes }: Network, subnet: Subnet): NetworkRoute[] {
  const chosen = new Map<string, { block: IpNet; route: PreparedRoute }>()
  for (const route of routes.filter((one) => isRouteOf(one, subnet)))
    for (const block of route.nets.filter(({ version }) => version === 4)) {
      const text = formatBlock(block)
      const other = chosen.get(text)
      if (!other || precedes(route, other.route)) chosen.set(text, { block, route })
    }
  return [...chosen]
    .sort(([, one], [, other]) => inOrder(one.block, other.block))
    .map(([block, { route }]) => ({ block, hop: hopOf(route.hop) }))
}

const inOrder = (one: IpNet, other: IpNet): number =>
  one.first === other.first ? one.width - other.width : one.first < other.first ? -1 : 1

function hopOf(hop: Hop): NetworkHop {
  switch (hop.type) {
    case 'subnet':
      return { type: 'local' }
    case 'interface':
      return { type: 'interface', interface_id: hop.interface.id }
    case 'gateway':
      return { type: 'gateway', gateway_id: hop.gateway.id }
    case 'unused':
    case 'drop':
      return { type: 'drop' }
    default:
      throw new Error(hop satisfies never)
  }
}

function interfacesOf(rows: NetworkRows, network: Network, machines: ReadonlyMap<string, string>) {
  const macs = new Map(rows.interfaces.map(({ id, mac_int }) => [id, mac_int]))
  const instances = new Map(rows.instances.map((one) => [one.id, one]))
  return ({ id, instance, subnet, isPrimary, transit, ...one }: Interface): NetworkInterface => ({
    id,
    instance_id: instance.id,
    machine_id: machines.get(instance.id) ?? null,
    subnet_id: subnet.id,
    hostname: instances.get(instance.id)?.hostname ?? '',
    name: instances.get(instance.id)?.name ?? '',
    mac: formatMac(macs.get(id) ?? 0),
    ip: ipv4Text(one),
    is_primary: isPrimary,
    transit_ips: disjoint(transit),
    // Fleets carry packets of IPv4 alone.
    external: instance.externalIps.filter(isIpv4).map((one) => externalOf(network, one)),
  })
}

const isIpv4 = ({ ip }: ExternalIp): boolean => ip.version === 4

function externalOf({ gateways }: Network, external: ExternalIp): ExternalAddress {
  return {
    kind: external.kind,
    ip: formatIp(external.ip),
    first_port: external.firstPort,
    last_port: external.lastPort,
    gateway_ids: gateways
      .filter((gateway) => carries(gateway, external))
      .map(({ id }) => id)
      .sort(),
  }
}

/** Omitted if it has no target or cannot match. */
function ruleOf(prepared: PreparedRule, vpcName: string, all: readonly Interface[]): NetworkRule[] {
  const { direction, action, filters } = prepared.rule
  const interface_ids = all.filter((one) => matchedTarget(prepared, one)).map(({ id }) => id)
  const hosts = filters.hosts?.length ? hostBlocks(filters.hosts, vpcName, all) : undefined
  const ports = filters.ports?.length ? distinct(filters.ports.map(portsOf)) : undefined
  const protocols = protocolsOf(filters)
  if ([interface_ids, hosts, ports, protocols].some((list) => list?.length === 0)) return []
  return [
    {
      direction,
      action,
      interface_ids,
      ...(hosts && { hosts }),
      ...(ports && { ports }),
      ...(protocols && { protocols }),
    },
  ]
}

type Filters = PreparedRule['rule']['filters']

function hostBlocks(
  hosts: NonNullable<Filters['hosts']>,
  vpcName: string,
  all: readonly Interface[],
): readonly string[] {
  const blocks = hosts.flatMap((host): IpNet[] => {
    if (host.type === 'ip') return host.value.includes(':') ? [] : [net(`${host.value}/32`)]
    if (host.type === 'ip_net') return [net(host.value)]
    const matches = hostMatcher(host, vpcName)
    return all.filter((one) => matchesAny(matches, one)).map((one) => net(`${ipv4Text(one)}/32`))
  })
  return disjoint(blocks)
}

/** In order, without those inside of others; blocks are nested or disjoint. */
function disjoint(blocks: readonly IpNet[]): string[] {
  const kept: IpNet[] = []
  for (const block of blocks.filter(({ version }) => version === 4).sort(inOrder)) {
    const last = kept.at(-1)
    if (!last || !netWithin(block, last)) kept.push(block)
  }
  return kept.map(formatBlock)
}

/** A filter by ports leaves no protocol without ports. Packets of ICMPv6 are none of IPv4. */
function protocolsOf({ ports, protocols }: Filters): NetworkProtocol[] | undefined {
  if (!protocols?.length) return undefined
  const list = protocols.flatMap((protocol): NetworkProtocol[] => {
    if (protocol.type === 'icmp6') return []
    if (protocol.type !== 'icmp') return [{ type: protocol.type }]
    const { value } = protocol
    if (!value) return [{ type: 'icmp' }]
    return [
      {
        type: 'icmp',
        icmp_type: value.icmp_type,
        ...(value.code && { codes: icmpCodesOf(value.code) }),
      },
    ]
  })
  return distinct(ports?.length ? list.filter(({ type }) => type !== 'icmp') : list)
}

function distinct<Item extends NetworkRange | NetworkProtocol>(list: readonly Item[]): Item[] {
  return [...new Map(list.map((item) => [JSON.stringify(item), item])).values()]
}
