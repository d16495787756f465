import { formatIp, type IpAddress, netContains } from '@gantry/api/base/ip.rules'
import type { PacketReason } from '@gantry/api/network/packet.rules'
import { carries } from './gateways.ts'
import {
  addressIn,
  type Gateway,
  type Instance,
  type Interface,
  type IpVersion,
  netHolds,
  type Party,
  sameAddress,
} from './model.ts'
import type { Network } from './network.ts'
import { chooseRoute, type PreparedRoute } from './routes.ts'
import { type Decision, evaluateRules, type Denial, type Packet, partyOf, type Trial } from './rules.ts'

/** How a caller specifies an end of a packet. */
export type Endpoint =
  | { type: 'instance'; instance: Instance }
  | { type: 'ip'; address: IpAddress }
  | { type: 'internet' }

export interface Verdict {
  reason: PacketReason
  /** The firewall decisions at the sender and at the receiver; undefined for the default. */
  outbound?: Decision
  inbound?: Decision
  /** The packet's route; for an inbound packet, that of its replies. */
  route?: PreparedRoute
  gateway?: Gateway
  /** The external address in use. */
  external?: string
  receiver?: Interface
  /** The firewall's denial, if any. */
  denial?: Denial
}

/** The network, and the records of one packet's evaluation. */
type Course = Network & Trial & { version: IpVersion }

/**
 * Evaluates the first packet from one end to the other. Pure: the same network and packet give the same
 * verdict. Replies to an admitted packet need no rules of their own.
 *
 * @param version That of the packet; addresses of the ends are of it (`versionOf`).
 */
export function evaluatePacket(
  network: Network,
  from: Endpoint,
  to: Endpoint,
  packet: Packet,
  version: IpVersion = 4,
): Verdict & Pick<Trial, 'targetless'> {
  const course: Course = { ...network, version, targetless: [] }
  return { ...trace(course, from, to, packet), targetless: course.targetless }
}

/**
 * The IP version of a packet: that of its protocol, of an address, or else the one that the ends have, IPv4 first.
 * Undefined if they contradict each other.
 */
export function versionOf(
  from: Endpoint,
  to: Endpoint,
  packet: Packet,
  asked: IpVersion | undefined,
): IpVersion | undefined {
  const given = [
    asked,
    protocolVersions[packet.type],
    ...[from, to].map((end) => (end.type === 'ip' ? end.address.version : undefined)),
  ].filter((one) => one !== undefined)
  if (given.length > 0) return given.every((one) => one === given[0]) ? given[0] : undefined
  const lacksIpv4 = (end: Endpoint) =>
    end.type === 'instance' && end.instance.interfaces.length > 0 && !hasAny(end.instance, 4)
  return lacksIpv4(from) || lacksIpv4(to) ? 6 : 4
}

const protocolVersions: Partial<Record<Packet['type'], IpVersion>> = { icmp: 4, icmp6: 6 }

const lacking = (version: IpVersion) => `no_ipv${version}` as const

const hasAny = ({ interfaces }: Instance, version: IpVersion): boolean =>
  interfaces.some((one) => addressIn(one, version))

function trace(network: Course, from: Endpoint, to: Endpoint, packet: Packet): Verdict {
  for (const end of [from, to])
    if (
      end.type === 'instance' &&
      end.instance.interfaces.length > 0 &&
      !hasAny(end.instance, network.version)
    )
      return { reason: lacking(network.version) }
  const sender = senderOf(network, from, to)
  if (sender === 'no sender') return { reason: 'no_such_host' }
  if (sender === 'no interface') return { reason: 'no_interface' }
  return sender.kind === 'interface'
    ? leaveInterface(network, sender.interface, to, packet)
    : enterVpc(network, sender, to, packet)
}

/** The interfaces of an instance with an address of the packet's version, the primary one first. */
const interfacesFor = ({ version }: Course, { interfaces }: Instance): Interface[] =>
  interfaces.filter((one) => addressIn(one, version))

/** An interface, with its address of the packet's version, as the end of a packet. */
function endAt({ version }: Course, one: Interface): Party {
  const address = addressIn(one, version)
  if (!address) throw new Error(`the interface ${one.name} has no address of IPv${version}`)
  return partyOf(one, address)
}

function senderOf(network: Course, from: Endpoint, to: Endpoint): Party | 'no sender' | 'no interface' {
  switch (from.type) {
    case 'instance': {
      // A guest sends through its interface in the same subnet, otherwise through its primary one.
      const receiver = privateInterface(network, to)
      const interfaces = interfacesFor(network, from.instance)
      const one = interfaces.find(({ subnet }) => subnet === receiver?.subnet) ?? interfaces[0]
      return one ? endAt(network, one) : 'no interface'
    }
    case 'ip': {
      const one = network.interfaceAt(from.address)
      if (one) return partyOf(one, from.address)
      return inSubnet(network, from.address) ? 'no sender' : { kind: 'address', address: from.address }
    }
    case 'internet':
      return { kind: 'internet', version: network.version }
    default:
      throw new Error(from satisfies never)
  }
}

const inSubnet = (network: Network, address: IpAddress): boolean =>
  network.subnets.some(({ blocks }) => blocks.some((block) => netContains(block, address)))

function privateInterface(network: Course, to: Endpoint): Interface | undefined {
  if (to.type === 'instance') return interfacesFor(network, to.instance)[0]
  return to.type === 'ip' ? network.interfaceAt(to.address) : undefined
}

/** From an interface of the VPC: the sender's firewall, the route, and its target. */
function leaveInterface(network: Course, sender: Interface, to: Endpoint, packet: Packet): Verdict {
  const receiver = privateInterface(network, to)
  if (to.type === 'instance' && !receiver) return { reason: 'no_interface' }
  if (receiver?.instance === sender.instance) return { reason: 'same_instance', receiver }
  const destination = destinationOf(network, to, receiver)
  const source = endAt(network, sender)
  const outbound = evaluateRules(network, 'outbound', sender, destination, packet)
  const left: Omit<Verdict, 'reason'> = outbound ? { outbound } : {}
  if (outbound?.rule.action === 'deny') {
    const denial = {
      direction: 'outbound',
      self: sender,
      other: destination,
      packet,
      by: outbound.rule,
    } as const
    return { ...left, reason: 'outbound_denied', denial }
  }
  const route = chooseRoute(network.routes, sender.subnet, destination)
  if (!route) return { ...left, reason: 'no_route' }
  const routed = { ...left, route }
  switch (route.hop.type) {
    case 'drop':
      return { ...routed, reason: 'route_drops' }
    case 'unused':
      return { ...routed, reason: 'no_such_host' }
    case 'subnet':
      return receiver
        ? { ...routed, ...reachReceiver(network, receiver, source, packet) }
        : { ...routed, reason: 'no_such_host' }
    case 'interface': {
      const hop = route.hop.interface
      if (hop !== receiver && !hop.transit.some((network) => netHolds(network, destination)))
        return { ...routed, reason: 'not_forwarded', receiver: hop }
      return { ...routed, ...reachReceiver(network, hop, source, packet) }
    }
    case 'gateway':
      // The reported route is the sender's, even when the packet returns by another one.
      return { ...leaveVpc(network, sender, route.hop.gateway, destination, packet), ...routed }
    default:
      throw new Error(route.hop satisfies never)
  }
}

function destinationOf(network: Course, to: Endpoint, receiver: Interface | undefined): Party {
  if (receiver) return endAt(network, receiver)
  return to.type === 'ip'
    ? { kind: 'address', address: to.address }
    : { kind: 'internet', version: network.version }
}

/** Leaves the VPC with an external address of the instance, and may re-enter at another instance's. */
function leaveVpc(
  network: Course,
  sender: Interface,
  gateway: Gateway,
  destination: Party,
  packet: Packet,
): Verdict {
  const external = sender.instance.externalIps.find(
    (one) => one.ip.version === network.version && carries(gateway, one),
  )
  if (!external) return { reason: 'no_external_address', gateway }
  const out = { gateway, external: formatIp(external.ip) }
  // Private addresses are unreachable from outside.
  if (
    destination.kind === 'interface' ||
    (destination.kind === 'address' && inSubnet(network, destination.address))
  )
    return { ...out, reason: 'no_such_host' }
  if (destination.kind !== 'address') return { ...out, reason: 'leaves' }
  const seen: Party = { kind: 'address', address: external.ip }
  return { ...(arriveAt(network, seen, destination.address, packet) ?? { reason: 'leaves' }), ...out }
}

/** At an address outside of the VPC that leads into it; undefined for every other one. */
function arriveAt(network: Course, source: Party, address: IpAddress, packet: Packet): Verdict | undefined {
  const owner = network.ownerOf(address)
  if (owner) return enterAtAddress(network, source, owner, [address], packet)
  const routed = network.routedTo(address)
  return routed && enterRouted(network, source, routed, address, packet)
}

/** From outside, where only floating and ephemeral addresses are known. */
function enterVpc(network: Course, source: Party, to: Endpoint, packet: Packet): Verdict {
  if (to.type === 'internet') return { reason: 'not_in_vpc' }
  if (to.type === 'instance') {
    const addresses = to.instance.externalIps
      .filter(({ kind, ip }) => kind !== 'snat' && ip.version === network.version)
      .map(({ ip }) => ip)
    return addresses.length === 0
      ? { reason: 'no_external_address' }
      : enterAtAddress(network, source, to.instance, addresses, packet)
  }
  const arrived = arriveAt(network, source, to.address, packet)
  if (arrived) return arrived
  return { reason: inSubnet(network, to.address) ? 'no_such_host' : 'not_in_vpc' }
}

/** To an external subnet: without translation to the primary interface, from which replies leave by any gateway. */
function enterRouted(
  network: Course,
  source: Party,
  owner: Instance,
  address: IpAddress,
  packet: Packet,
): Verdict {
  const way = wayBack(network, source, owner)
  if ('reason' in way) return way
  const { receiver, gateway, ...route } = way
  if (!gateway) return { ...route, reason: 'no_way_back', receiver }
  const back = { ...route, gateway, external: formatIp(address) }
  return { ...back, ...reachReceiver(network, receiver, source, packet) }
}

/** The interface that receives packets from outside, and the way of its replies. */
function wayBack(
  network: Course,
  source: Party,
  owner: Instance,
): Verdict | (Pick<Verdict, 'route' | 'gateway'> & { receiver: Interface }) {
  const [receiver] = owner.interfaces
  if (!receiver) return { reason: 'no_interface' }
  if (!addressIn(receiver, network.version)) return { reason: lacking(network.version), receiver }
  const route = chooseRoute(network.routes, receiver.subnet, source)
  const gateway = route?.hop.type === 'gateway' ? route.hop.gateway : undefined
  return { ...(route ? { route } : {}), ...(gateway ? { gateway } : {}), receiver }
}

/** An address works only while replies can leave: by a route to a gateway that carries it. */
function enterAtAddress(
  network: Course,
  source: Party,
  owner: Instance,
  addresses: readonly IpAddress[],
  packet: Packet,
): Verdict {
  const way = wayBack(network, source, owner)
  if ('reason' in way) return way
  const { receiver, ...back } = way
  const { gateway } = back
  const external = owner.externalIps.find(
    (one) => gateway && carries(gateway, one) && addresses.some((address) => sameAddress(address, one.ip)),
  )
  if (!external) return { ...back, reason: 'no_way_back', receiver }
  return { ...back, external: formatIp(external.ip), ...reachReceiver(network, receiver, source, packet) }
}

/** The receiver's firewall admits only allowed packets. */
function reachReceiver(network: Course, receiver: Interface, source: Party, packet: Packet): Verdict {
  const inbound = evaluateRules(network, 'inbound', receiver, source, packet)
  if (inbound?.rule.action === 'allow') return { reason: 'arrives', receiver, inbound }
  const denial = { direction: 'inbound', self: receiver, other: source, packet, by: inbound?.rule } as const
  return inbound
    ? { reason: 'inbound_denied', receiver, inbound, denial }
    : { reason: 'nothing_allows', receiver, denial }
}
