import { netContains } from '@gantry/api/base/ip.rules'
import type { NetworkInterface, NetworkProtocol, NetworkRule } from '../../fleet/networks.ts'
import { ip, net } from './model.ts'
import type { Packet } from './rules.ts'
import type { VpcState } from './vpc-network.ts'

/** What becomes of a packet: where it arrives, and the addresses that it has there. */
export type Fate =
  | { at: 'interface'; id: string; source: string; destination: string }
  | { at: 'outside'; source: string; destination: string }
  | { at: 'nowhere' }

const nowhere: Fate = { at: 'nowhere' }
const holds = (block: string, address: string): boolean => netContains(net(block), ip(address))
const within = ({ first, last }: { first: number; last: number }, number: number): boolean =>
  first <= number && number <= last

/**
 * What `VpcNetwork` means, spelled out for the tests: it follows the first packet from one address to another by
 * scanning everything.
 */
export function fateOf(network: VpcState, source: string, destination: string, packet: Packet): Fate {
  const at = (address: string) => network.interfaces.find((one) => one.ip === address)
  const isInside = (address: string) => network.subnets.some(({ block }) => holds(block, address))
  const sender = at(source)
  if (!sender) return isInside(source) ? nowhere : enter(source)
  if (decision('outbound', sender, destination) === 'deny') return nowhere
  const hop = hopOf(sender, destination)
  switch (hop?.type) {
    case 'local': {
      const receiver = at(destination)
      return receiver ? arrive(receiver, source, destination) : nowhere
    }
    case 'interface': {
      const receiver = network.interfaces.find(({ id }) => id === hop.interface_id)
      const own = [`${receiver?.ip}/32`, ...(receiver?.transit_ips ?? [])]
      return receiver && own.some((block) => holds(block, destination))
        ? arrive(receiver, source, destination)
        : nowhere
    }
    case 'gateway': {
      const external = sender.external.find(({ gateway_ids }) => gateway_ids.includes(hop.gateway_id))
      if (!external || isInside(destination)) return nowhere
      return holderOf(destination) ? enter(external.ip) : { at: 'outside', source: external.ip, destination }
    }
    default:
      return nowhere
  }

  function holderOf(address: string): NetworkInterface | undefined {
    return network.interfaces.find(
      ({ is_primary, external }) =>
        is_primary && external.some((one) => one.kind !== 'snat' && one.ip === address),
    )
  }

  function enter(from: string): Fate {
    const receiver = holderOf(destination)
    const back = receiver && hopOf(receiver, from)
    const external = receiver?.external.find((one) => one.kind !== 'snat' && one.ip === destination)
    return receiver && back?.type === 'gateway' && external?.gateway_ids.includes(back.gateway_id)
      ? arrive(receiver, from, receiver.ip)
      : nowhere
  }

  function arrive({ id }: NetworkInterface, from: string, to: string): Fate {
    const receiver = network.interfaces.find((one) => one.id === id)
    const isAllowed = receiver && decision('inbound', receiver, from) === 'allow'
    return isAllowed ? { at: 'interface', id, source: from, destination: to } : nowhere
  }

  function hopOf({ subnet_id }: NetworkInterface, to: string) {
    const routes = network.subnets.find(({ id }) => id === subnet_id)?.routes ?? []
    const matching = routes.filter(({ block }) => holds(block, to))
    return matching.sort((one, other) => net(other.block).width - net(one.block).width)[0]?.hop
  }

  function decision(
    direction: NetworkRule['direction'],
    { id }: NetworkInterface,
    other: string,
  ): NetworkRule['action'] | undefined {
    return network.rules.find(
      (rule) =>
        rule.direction === direction &&
        rule.interface_ids.includes(id) &&
        (rule.hosts?.some((block) => holds(block, other)) ?? true) &&
        (rule.protocols?.some((protocol) => isOf(protocol, packet)) ?? true) &&
        (rule.ports?.some((range) => 'port' in packet && within(range, packet.port)) ?? true),
    )?.action
  }
}

const isOf = (protocol: NetworkProtocol, packet: Packet): boolean =>
  'icmp_type' in packet && packet.type === 'icmp' && protocol.type === 'icmp'
    ? (protocol.icmp_type ?? packet.icmp_type) === packet.icmp_type &&
      (!protocol.codes || within(protocol.codes, packet.icmp_code))
    : protocol.type === packet.type
