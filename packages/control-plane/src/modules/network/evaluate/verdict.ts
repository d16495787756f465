import { formatIp, type IpAddress, netContains } from '@gantry/api/ip.rules'
import type { PacketReason } from '@gantry/api/packet.rules'
import {
  type ExternalIp,
  type Gateway,
  type Instance,
  type Interface,
  netHolds,
  type Party,
  sameAddress,
} from './model.ts'
import type { Network } from './network.ts'
import { chooseRoute, type PreparedRoute } from './routes.ts'
import { type Decision, decide, type Packet, partyOf } from './rules.ts'

/** How somebody names an end of a packet. */
export type Endpoint =
  | { type: 'instance'; instance: Instance }
  | { type: 'ip'; address: IpAddress }
  | { type: 'internet' }

export interface Verdict {
  reason: PacketReason
  /** What the firewall said where the packet leaves and where it arrives; undefined for its default. */
  outbound?: Decision
  inbound?: Decision
  /** The packet's route; for a packet from outside that of the answers to it. */
  route?: PreparedRoute
  gateway?: Gateway
  /** The address that the outside sees or uses. */
  external?: string
  receiver?: Interface
}

/**
 * What becomes of the first packet from one end to the other. Pure: the same network and packet give the same
 * verdict. Answers to a packet that was let through need no rules of their own.
 */
export function judge(network: Network, from: Endpoint, to: Endpoint, packet: Packet): Verdict {
  const sender = senderOf(network, from, to)
  if (sender === 'nobody') return { reason: 'no_such_host' }
  if (sender === 'no interface') return { reason: 'no_interface' }
  return sender.kind === 'interface'
    ? leave(network, sender.interface, to, packet)
    : enter(network, sender, to, packet)
}

function senderOf(network: Network, from: Endpoint, to: Endpoint): Party | 'nobody' | 'no interface' {
  switch (from.type) {
    case 'instance': {
      // A system sends by the interface that is in the same subnet, and by its primary one to all others.
      const receiver = privateInterface(network, to)
      const { interfaces } = from.instance
      const one = interfaces.find(({ subnet }) => subnet === receiver?.subnet) ?? interfaces[0]
      return one ? partyOf(one) : 'no interface'
    }
    case 'ip': {
      const one = network.interfaceAt(from.address)
      if (one) return partyOf(one)
      return inSubnet(network, from.address) ? 'nobody' : { kind: 'address', address: from.address }
    }
    case 'internet':
      return { kind: 'internet' }
    default:
      throw new Error(from satisfies never)
  }
}

const inSubnet = (network: Network, address: IpAddress): boolean =>
  network.subnets.some(({ blocks }) => blocks.some((block) => netContains(block, address)))

function privateInterface(network: Network, to: Endpoint): Interface | undefined {
  if (to.type === 'instance') return to.instance.interfaces[0]
  return to.type === 'ip' ? network.interfaceAt(to.address) : undefined
}

/** From an interface of the VPC: the sender's firewall, the route, and what is at its end. */
function leave(network: Network, sender: Interface, to: Endpoint, packet: Packet): Verdict {
  const receiver = privateInterface(network, to)
  if (to.type === 'instance' && !receiver) return { reason: 'no_interface' }
  if (receiver?.instance === sender.instance) return { reason: 'same_instance', receiver }
  const destination = destinationOf(to, receiver)
  if (destination.kind !== 'internet' && destination.address.version !== 4) return { reason: 'no_ipv6' }

  const outbound = decide(network.rules, 'outbound', sender, destination, packet)
  const left: Omit<Verdict, 'reason'> = outbound ? { outbound } : {}
  if (outbound?.rule.action === 'deny') return { ...left, reason: 'outbound_denied' }
  const route = chooseRoute(network.routes, sender.subnet, destination)
  if (!route) return { ...left, reason: 'no_route' }
  const routed = { ...left, route }
  switch (route.hop.type) {
    case 'drop':
      return { ...routed, reason: 'route_drops' }
    case 'nobody':
      return { ...routed, reason: 'no_such_host' }
    case 'subnet':
      return receiver
        ? { ...routed, ...arrive(network, receiver, partyOf(sender), packet) }
        : { ...routed, reason: 'no_such_host' }
    case 'interface': {
      const hop = route.hop.interface
      if (hop !== receiver && !hop.transit.some((network) => netHolds(network, destination)))
        return { ...routed, reason: 'not_forwarded', receiver: hop }
      return { ...routed, ...arrive(network, hop, partyOf(sender), packet) }
    }
    case 'gateway':
      // The sender's route is the packet's, also when it comes back in by another one.
      return { ...leaveVpc(network, sender, route.hop.gateway, destination, packet), ...routed }
    default:
      throw new Error(route.hop satisfies never)
  }
}

function destinationOf(to: Endpoint, receiver: Interface | undefined): Party {
  if (receiver) return partyOf(receiver)
  return to.type === 'ip' ? { kind: 'address', address: to.address } : { kind: 'internet' }
}

/** Out of the VPC with an external address of the instance, and perhaps back in to another one's. */
function leaveVpc(
  network: Network,
  sender: Interface,
  gateway: Gateway,
  destination: Party,
  packet: Packet,
): Verdict {
  const external = sender.instance.externalIps.find((one) => carries(gateway, one))
  if (!external) return { reason: 'no_external_address', gateway }
  const out = { gateway, external: formatIp(external.ip) }
  // Private addresses mean nothing outside.
  if (
    destination.kind === 'interface' ||
    (destination.kind === 'address' && inSubnet(network, destination.address))
  )
    return { ...out, reason: 'no_such_host' }
  const owner = destination.kind === 'address' ? network.ownerOf(destination.address) : undefined
  if (!owner || destination.kind !== 'address') return { ...out, reason: 'leaves' }
  const seen: Party = { kind: 'address', address: external.ip }
  return { ...enterAt(network, seen, owner, [destination.address], packet), ...out }
}

const carries = (gateway: Gateway, { ip, poolId }: ExternalIp): boolean =>
  gateway.poolIds.has(poolId) || gateway.addresses.some((address) => sameAddress(address, ip))

/** From outside, where only floating and ephemeral addresses are known. */
function enter(network: Network, source: Party, to: Endpoint, packet: Packet): Verdict {
  if (to.type === 'internet') return { reason: 'not_in_vpc' }
  if (to.type === 'instance') {
    const addresses = to.instance.externalIps.filter(({ kind }) => kind !== 'snat').map(({ ip }) => ip)
    return addresses.length === 0
      ? { reason: 'no_external_address' }
      : enterAt(network, source, to.instance, addresses, packet)
  }
  const owner = network.ownerOf(to.address)
  if (owner) return enterAt(network, source, owner, [to.address], packet)
  return { reason: inSubnet(network, to.address) ? 'no_such_host' : 'not_in_vpc' }
}

/** An address serves only while answers from it can leave: by a route to a gateway that carries it. */
function enterAt(
  network: Network,
  source: Party,
  owner: Instance,
  addresses: readonly IpAddress[],
  packet: Packet,
): Verdict {
  const [receiver] = owner.interfaces
  if (!receiver) return { reason: 'no_interface' }
  const route = chooseRoute(network.routes, receiver.subnet, source)
  const gateway = route?.hop.type === 'gateway' ? route.hop.gateway : undefined
  const external = owner.externalIps.find(
    (one) => gateway && carries(gateway, one) && addresses.some((address) => sameAddress(address, one.ip)),
  )
  const back = { ...(route ? { route } : {}), ...(gateway ? { gateway } : {}) }
  if (!external) return { ...back, reason: 'no_way_back', receiver }
  return { ...back, external: formatIp(external.ip), ...arrive(network, receiver, source, packet) }
}

/** The receiver's firewall lets in only what a rule allows. */
function arrive(network: Network, receiver: Interface, source: Party, packet: Packet): Verdict {
  const inbound = decide(network.rules, 'inbound', receiver, source, packet)
  if (!inbound) return { reason: 'nothing_allows', receiver }
  return { reason: inbound.rule.action === 'allow' ? 'arrives' : 'inbound_denied', receiver, inbound }
}
