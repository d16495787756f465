import { type IpAddress, type IpNet, netContains, parseIp, parseIpNet } from '@gantry/api/base/ip.rules'
import type { FirewallRuleUpdate } from '@gantry/api/network/vpc-firewall'
import type { Row } from '../../db/tables.ts'

/** A stored rule, or an unsaved one without an id. */
export type RuleRow = Omit<FirewallRuleUpdate, 'description'> & { id: string | null }

/** Everything in a VPC that affects packets, in stored form. */
export interface NetworkRows {
  vpc: Pick<Row<'vpc'>, 'id' | 'name' | 'dns_name' | 'vni'>
  subnets: readonly Pick<
    Row<'vpc_subnet'>,
    'id' | 'name' | 'ipv4_block' | 'ipv6_block' | 'custom_router_id'
  >[]
  instances: readonly Pick<Row<'instance'>, 'id' | 'name' | 'hostname'>[]
  /** Of instances only: a probe sends and answers for itself. */
  interfaces: readonly (Pick<
    Row<'network_interface'>,
    'id' | 'name' | 'subnet_id' | 'mac_int' | 'ip' | 'ipv6' | 'is_primary' | 'transit_ips'
  > & { instance_id: string })[]
  externalIps: readonly Pick<
    Row<'external_ip'>,
    'kind' | 'ip' | 'first_port' | 'last_port' | 'ip_pool_id' | 'instance_id'
  >[]
  /** Those that are attached. */
  externalSubnets: readonly Pick<Row<'external_subnet'>, 'subnet' | 'instance_id'>[]
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
  /** One of each IP version that it has, that of IPv4 first. */
  addresses: readonly IpAddress[]
  subnet: Subnet
  instance: Instance
  isPrimary: boolean
  transit: readonly IpNet[]
}
export interface Instance extends Named {
  /** The primary one first. */
  interfaces: Interface[]
  /** User-managed addresses first: the first one that a gateway carries is the one seen outside. */
  externalIps: ExternalIp[]
}
export interface ExternalIp {
  kind: 'floating' | 'ephemeral' | 'snat'
  ip: IpAddress
  poolId: string
  firstPort: number
  lastPort: number
}
export interface Gateway extends Named {
  poolIds: ReadonlySet<string>
  addresses: readonly IpAddress[]
}

export type IpVersion = IpAddress['version']

/** One end of a packet: an interface of the VPC, an external address, or an unspecified one. */
export type Party =
  | { kind: 'interface'; interface: Interface; address: IpAddress }
  | { kind: 'address'; address: IpAddress }
  | { kind: 'internet'; version: IpVersion }

/** Stored values are already validated. */
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

/** The address of an interface of one IP version, if it has any. */
export const addressIn = (
  { addresses }: Pick<Interface, 'addresses'>,
  version: IpVersion,
): IpAddress | undefined => addresses.find((one) => one.version === version)

export const sameAddress = (one: IpAddress, other: IpAddress): boolean =>
  one.version === other.version && one.value === other.value

/** An unspecified address lies in all of its IP version and nothing smaller. */
export const netHolds = (network: IpNet, party: Party): boolean =>
  party.kind === 'internet'
    ? network.version === party.version && network.width === 0
    : netContains(network, party.address)
