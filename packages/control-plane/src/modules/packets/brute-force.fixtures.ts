import type { PacketReason } from '@gantry/api/network/packet.rules'
import type { NetworkRows, RuleRow } from './model.ts'
import type { Packet } from './rules.ts'

/**
 * An independent second implementation for the tests, which shares only its input with the evaluator: it
 * prepares nothing, scans every row for every packet, and treats addresses as bit strings.
 */
export interface Opinion {
  reason: PacketReason
  outbound?: string
  inbound?: string
  route?: string
  gateway?: string
  external?: string
  receiver?: string
}
export type End = { type: 'instance'; id: string } | { type: 'ip'; text: string } | { type: 'internet' }
type Nic = NetworkRows['interfaces'][number]
/** `4:` or `6:` and the known bits. */
interface Side {
  key: string
  nic?: Nic
}

export function secondOpinion(
  rows: NetworkRows,
  from: End,
  to: End,
  packet: Packet,
  version: 4 | 6 = 4,
): Opinion {
  const allOf = (instance: string) => [
    ...rows.interfaces.filter((nic) => nic.instance_id === instance && nic.is_primary),
    ...rows.interfaces.filter((nic) => nic.instance_id === instance && !nic.is_primary),
  ]
  const ownAddress = (nic: Nic) => (version === 4 ? nic.ip : nic.ipv6)
  const nicsOf = (instance: string) => allOf(instance).filter((nic) => ownAddress(nic) !== null)
  const keysOf = (nic: Nic) => [nic.ip, nic.ipv6].flatMap((one) => (one === null ? [] : [bits(one)]))
  const nicAt = (text: string) => rows.interfaces.find((nic) => keysOf(nic).includes(bits(text)))
  const inside = (text: string) =>
    rows.subnets.some((subnet) =>
      [subnet.ipv4_block, subnet.ipv6_block].some((block) => within(bits(text), block)),
    )
  const ownerOf = (text: string) =>
    rows.externalIps.find((one) => one.kind !== 'snat' && bits(one.ip) === bits(text))?.instance_id
  const isOfVersion = (one: { ip: string }) => bits(one.ip).startsWith(`${version}:`)
  const routedTo = (text: string) =>
    rows.externalSubnets.find(({ subnet }) => within(bits(text), subnet))?.instance_id
  const sideOf = (nic: Nic): Side => ({ key: bits(ownAddress(nic) ?? ''), nic })
  const sidesOf = (nic: Nic): Side[] => keysOf(nic).map((key) => ({ key, nic }))

  function fits(filter: RuleRow['targets'][number], side: Side): boolean {
    const { nic } = side
    switch (filter.type) {
      case 'vpc':
        return nic !== undefined && filter.value === rows.vpc.name
      case 'subnet':
        return rows.subnets.some((one) => one.id === nic?.subnet_id && one.name === filter.value)
      case 'instance':
        return rows.instances.some((one) => one.id === nic?.instance_id && one.name === filter.value)
      case 'ip':
        return side.key === bits(filter.value)
      case 'ip_net':
        return within(side.key, filter.value)
    }
  }

  function decision(direction: string, self: Nic, other: Side): RuleRow | undefined {
    const applicable = rows.rules.filter(
      (rule) =>
        rule.status === 'enabled' &&
        rule.direction === direction &&
        rule.targets.some((target) => sidesOf(self).some((side) => fits(target, side))) &&
        [
          some(rule.filters.hosts, (host) => fits(host, other)),
          some(rule.filters.ports, (text) => {
            const [first = '', last = first] = text.split('-')
            return 'port' in packet && packet.port >= Number(first) && packet.port <= Number(last)
          }),
          some(rule.filters.protocols, (protocol) => {
            if (protocol.type !== packet.type) return false
            if (!('value' in protocol) || !protocol.value || !('icmp_type' in packet)) return true
            const [first = '0', last = first] = protocol.value.code?.split('-') ?? ['0', '255']
            return (
              protocol.value.icmp_type === packet.icmp_type &&
              packet.icmp_code >= Number(first) &&
              packet.icmp_code <= Number(last)
            )
          }),
        ].every(Boolean),
    )
    return least(applicable, (rule) => `${pad(rule.priority)} ${rule.action === 'deny' ? 0 : 1} ${rule.name}`)
  }

  function routeFor(nic: Nic, other: Side) {
    const custom = rows.subnets.find((subnet) => subnet.id === nic.subnet_id)?.custom_router_id
    const candidates = rows.routes.flatMap((route) => {
      const router = rows.routers.find((one) => one.id === route.vpc_router_id)
      if (!router || !(router.kind === 'system' || router.id === custom) || !leads(route.target)) return []
      return blocksOf(route.destination)
        .filter((block) => within(other.key, block))
        .map((block) => ({ route, router, width: Number(block.split('/')[1]) }))
    })
    return least(
      candidates,
      ({ route, router, width }) => `${pad(200 - width)} ${router.kind === 'custom' ? 0 : 1} ${route.name}`,
    )
  }
  function blocksOf({ type, value }: NetworkRows['routes'][number]['destination']): string[] {
    if (type === 'ip_net') return [value]
    if (type === 'ip') return [`${value}/${bits(value).length - 2}`]
    const subnet = rows.subnets.find((one) => type === 'subnet' && one.name === value)
    return subnet ? [subnet.ipv4_block, subnet.ipv6_block] : []
  }
  function leads(target: NetworkRows['routes'][number]['target']): boolean {
    const named = (all: readonly { name: string }[]) =>
      all.some((one) => 'value' in target && one.name === target.value)
    if (target.type === 'subnet') return named(rows.subnets)
    if (target.type === 'internet_gateway') return named(rows.gateways)
    if (target.type === 'instance') return named(rows.instances.filter(({ id }) => allOf(id).length > 0))
    return target.type !== 'vpc'
  }

  function usable(instance: string, gatewayName: string) {
    const gateway = rows.gateways.find((one) => one.name === gatewayName)?.id
    return rows.externalIps
      .filter((one) => one.instance_id === instance && isOfVersion(one))
      .filter(
        (one) =>
          rows.gatewayPools.some(
            (pool) => pool.internet_gateway_id === gateway && pool.ip_pool_id === one.ip_pool_id,
          ) ||
          rows.gatewayAddresses.some(
            (address) => address.internet_gateway_id === gateway && bits(address.address) === bits(one.ip),
          ),
      )
      .sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
  }

  function arrive(nic: Nic, source: Side): Opinion {
    const rule = decision('inbound', nic, source)
    const receiver = nic.id
    if (!rule) return { reason: 'nothing_allows', receiver }
    return { reason: rule.action === 'deny' ? 'inbound_denied' : 'arrives', inbound: rule.name, receiver }
  }

  function comeIn(source: Side, instance: string, onlyTo?: string, isRouted = false): Opinion {
    const [nic] = allOf(instance)
    if (!nic) return { reason: 'no_interface' }
    if (ownAddress(nic) === null) return { reason: `no_ipv${version}`, receiver: nic.id }
    const way = routeFor(nic, source)
    const back: Partial<Opinion> = way ? { route: way.route.id } : {}
    if (way?.route.target.type !== 'internet_gateway')
      return { ...back, reason: 'no_way_back', receiver: nic.id }
    back.gateway = way.route.target.value
    if (isRouted) return { ...back, external: onlyTo ?? '', ...arrive(nic, source) }
    const first = usable(instance, way.route.target.value).find(
      (one) => one.kind !== 'snat' && (onlyTo === undefined || bits(one.ip) === bits(onlyTo)),
    )
    if (!first) return { ...back, reason: 'no_way_back', receiver: nic.id }
    return { ...back, external: first.ip, ...arrive(nic, source) }
  }

  for (const end of [from, to])
    if (end.type === 'instance' && allOf(end.id).length > 0 && nicsOf(end.id).length === 0)
      return { reason: `no_ipv${version}` }
  const target = to.type === 'instance' ? nicsOf(to.id)[0] : to.type === 'ip' ? nicAt(to.text) : undefined
  let sender: Nic | undefined
  if (from.type === 'instance') {
    const mine = nicsOf(from.id)
    sender = mine.find((nic) => nic.subnet_id === target?.subnet_id) ?? mine[0]
    if (!sender) return { reason: 'no_interface' }
  } else if (from.type === 'ip') {
    sender = nicAt(from.text)
    if (!sender && inside(from.text)) return { reason: 'no_such_host' }
  }

  if (!sender) {
    const source = { key: from.type === 'ip' ? bits(from.text) : `${version}:` }
    if (to.type === 'internet') return { reason: 'not_in_vpc' }
    if (to.type === 'instance')
      return rows.externalIps.some(
        (one) => one.instance_id === to.id && one.kind !== 'snat' && isOfVersion(one),
      )
        ? comeIn(source, to.id)
        : { reason: 'no_external_address' }
    const owner = ownerOf(to.text)
    if (owner) return comeIn(source, owner, to.text)
    const routed = routedTo(to.text)
    if (routed) return comeIn(source, routed, to.text, true)
    return { reason: inside(to.text) ? 'no_such_host' : 'not_in_vpc' }
  }

  if (to.type === 'instance' && !target) return { reason: 'no_interface' }
  if (target?.instance_id === sender.instance_id) return { reason: 'same_instance', receiver: target.id }
  const destination: Side = target
    ? sideOf(target)
    : { key: to.type === 'ip' ? bits(to.text) : `${version}:` }
  const rule = decision('outbound', sender, destination)
  const so: Partial<Opinion> = rule ? { outbound: rule.name } : {}
  if (rule?.action === 'deny') return { ...so, reason: 'outbound_denied' }
  const way = routeFor(sender, destination)
  if (!way) return { ...so, reason: 'no_route' }
  so.route = way.route.id
  const hop = way.route.target
  if (hop.type === 'drop') return { ...so, reason: 'route_drops' }
  if (hop.type === 'subnet')
    return target ? { ...so, ...arrive(target, sideOf(sender)) } : { ...so, reason: 'no_such_host' }
  if (hop.type === 'internet_gateway') {
    so.gateway = hop.value
    const [external] = usable(sender.instance_id, hop.value)
    if (!external) return { ...so, reason: 'no_external_address' }
    so.external = external.ip
    if (target || (to.type === 'ip' && inside(to.text))) return { ...so, reason: 'no_such_host' }
    const owner = to.type === 'ip' ? ownerOf(to.text) : undefined
    const routed = to.type === 'ip' ? routedTo(to.text) : undefined
    const at = owner ?? routed
    if (!at || to.type !== 'ip') return { ...so, reason: 'leaves' }
    const { reason, inbound, receiver } = comeIn({ key: bits(external.ip) }, at, to.text, !owner)
    return { ...so, reason, ...(inbound ? { inbound } : {}), ...(receiver ? { receiver } : {}) }
  }
  const through =
    hop.type === 'ip'
      ? nicAt(hop.value)
      : allOf(rows.instances.find((one) => hop.type === 'instance' && one.name === hop.value)?.id ?? '')[0]
  if (!through) return { ...so, reason: 'no_such_host' }
  const accepts =
    through.id === target?.id || through.transit_ips.some((block) => within(destination.key, block))
  return accepts
    ? { ...so, ...arrive(through, sideOf(sender)) }
    : { ...so, reason: 'not_forwarded', receiver: through.id }
}

const pad = (number: number): string => String(number).padStart(6, '0')
const rank = (one: NetworkRows['externalIps'][number]): string =>
  `${{ floating: 0, ephemeral: 1, snat: 2 }[one.kind]} ${bits(one.ip)}`

function some<Item>(list: readonly Item[] | null | undefined, is: (item: Item) => boolean): boolean {
  return !list?.length || list.some(is)
}

function least<Item>(items: readonly Item[], key: (item: Item) => string): Item | undefined {
  return [...items].sort((one, other) => (key(one) < key(other) ? -1 : 1))[0]
}

/** Whether an address's known bits start with those of the network. */
function within(key: string, block: string): boolean {
  const [address = '', width = ''] = block.split('/')
  return key.startsWith(bits(address).slice(0, 2 + Number(width)))
}

const known = new Map<string, string>()
function bits(text: string): string {
  const found = known.get(text) ?? spelledOut(text)
  known.set(text, found)
  return found
}

function spelledOut(text: string): string {
  if (!text.includes(':'))
    return `4:${text
      .split('.')
      .map((octet) => Number(octet).toString(2).padStart(8, '0'))
      .join('')}`
  const [head = '', tail = ''] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const missing = 8 - groups(head).length - groups(tail).length
  return `6:${[...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('')}`
}
