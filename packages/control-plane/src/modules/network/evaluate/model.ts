import { type IpAddress, type IpNet, netContains, parseIp, parseIpNet } from '@gantry/api/ip.rules'
import type { Row } from '../../../db/tables.ts'
import type { RuleRow } from './rules.ts'

/** Everything of one VPC that decides where a packet goes, as it is stored. */
export interface NetworkRows {
  vpc: Pick<Row<'vpc'>, 'name'>
  subnets: readonly Pick<
    Row<'vpc_subnet'>,
    'id' | 'name' | 'ipv4_block' | 'ipv6_block' | 'custom_router_id'
  >[]
  instances: readonly Pick<Row<'instance'>, 'id' | 'name'>[]
  interfaces: readonly Pick<
    Row<'network_interface'>,
    'id' | 'name' | 'instance_id' | 'subnet_id' | 'ip' | 'is_primary' | 'transit_ips'
  >[]
  externalIps: readonly Pick<Row<'external_ip'>, 'kind' | 'ip' | 'ip_pool_id' | 'instance_id'>[]
  rules: readonly RuleRow[]
  routers: readonly Pick<Row<'vpc_router'>, 'id' | 'name' | 'kind'>[]
  routes: readonly Pick<Row<'router_route'>, 'id' | 'name' | 'vpc_router_id' | 'destination' | 'target'>[]
  gateways: readonly Pick<Row<'internet_gateway'>, 'id' | 'name'>[]
  gatewayPools: readonly Pick<Row<'internet_gateway_ip_pool'>, 'internet_gateway_id' | 'ip_pool_id'>[]
  gatewayAddresses: readonly Pick<Row<'internet_gateway_ip_address'>, 'internet_gateway_id' | 'address'>[]
}

export interface Named {
  id: string
  name: string
}
export interface Subnet extends Named {
  blocks: readonly IpNet[]
  customRouterId: string | null
}
export interface Interface extends Named {
  ip: IpAddress
  subnet: Subnet
  instance: Instance
  isPrimary: boolean
  transit: readonly IpNet[]
}
export interface Instance extends Named {
  /** The primary one first. */
  interfaces: Interface[]
  /** Those that people gave a meaning first: the first that a gateway carries is the one seen outside. */
  externalIps: ExternalIp[]
}
export interface ExternalIp {
  kind: 'floating' | 'ephemeral' | 'snat'
  ip: IpAddress
  poolId: string
}
export interface Gateway extends Named {
  poolIds: ReadonlySet<string>
  addresses: readonly IpAddress[]
}

/** One end of a packet: an interface of the VPC, an address elsewhere, or any address that nothing names. */
export type Party =
  | { kind: 'interface'; interface: Interface; address: IpAddress }
  | { kind: 'address'; address: IpAddress }
  | { kind: 'internet' }

/** What is stored was checked on its way in. */
export function ip(text: string): IpAddress {
  const address = parseIp(text)
  if (!address) throw new Error(`${text} is not an address`)
  return address
}
export function net(text: string): IpNet {
  const network = parseIpNet(text)
  if (!network) throw new Error(`${text} is not a network`)
  return network
}

export const sameAddress = (one: IpAddress, other: IpAddress): boolean =>
  one.version === other.version && one.value === other.value

/** Interfaces speak IPv4 alone, so an address that nothing names lies in the whole of IPv4 and nothing smaller. */
export const netHolds = (network: IpNet, party: Party): boolean =>
  party.kind === 'internet'
    ? network.version === 4 && network.width === 0
    : netContains(network, party.address)
