import type { FailureReason } from '@gantry/api/extensions'
import type { FirewallRule } from '@gantry/api/network/vpc-firewall'
import type { RouterRoute } from '@gantry/api/network/vpc-router'
import type { RefusedAddress } from '../../fleet/networks.ts'
import type { Defaulted, Json, JsonOrNull, Named, Protectable, Taggable, Tracked } from './column-types.ts'

interface VpcTable extends Protectable {
  project_id: string
  system_router_id: string
  ipv6_prefix: string
  dns_name: string
  /** 24-bit number of the virtual network. */
  vni: number
  /** No MAC address below it is free (`modules/network/records/interfaces.ts`). */
  free_macs_from: Defaulted<number>
}
interface VpcRouterTable extends Taggable {
  vpc_id: string
  kind: 'system' | 'custom'
}
interface RouterRouteTable extends Taggable {
  vpc_router_id: string
  kind: RouterRoute['kind']
  target: Json<RouterRoute['target']>
  destination: Json<RouterRoute['destination']>
  /** The subnet that a `vpc_subnet` route belongs to. */
  vpc_subnet_id: string | null
}
interface VpcSubnetTable extends Taggable {
  vpc_id: string
  ipv4_block: string
  /** Bounds of the block as integers, for overlap checks and allocation. */
  ipv4_first: number
  ipv4_last: number
  ipv6_block: string
  custom_router_id: string | null
  /** No IPv4 address below it is free. */
  free_ips_from: Defaulted<number>
  /** No IPv6 address of a lower offset in the block is free. */
  free_ipv6_from: Defaulted<number>
}
interface VpcFirewallRuleTable extends Named {
  vpc_id: string
  status: FirewallRule['status']
  direction: FirewallRule['direction']
  targets: Json<FirewallRule['targets']>
  filters: Json<FirewallRule['filters']>
  action: FirewallRule['action']
  priority: number
}
/** The list of rules as a whole; the generation detects concurrent edits. */
interface VpcFirewallTable {
  vpc_id: string
  generation: number
}
interface InternetGatewayTable extends Taggable {
  vpc_id: string
}
interface InternetGatewayIpPoolTable extends Named {
  internet_gateway_id: string
  ip_pool_id: string
}
interface InternetGatewayIpAddressTable extends Named {
  internet_gateway_id: string
  address: string
}
interface IpPoolTable extends Taggable {
  /** Reserved for the rack's own services: linked to no silo, and found only by its own operations. */
  is_service: Defaulted<boolean>
  ip_version: Defaulted<'v4' | 'v6'>
  /** True if the pool was created with its version, which all its ranges then have. */
  has_one_version: Defaulted<boolean>
  /** Of all its ranges. */
  pool_type: Defaulted<'unicast' | 'multicast'>
}
interface IpPoolRangeTable {
  id: string
  ip_pool_id: string
  first_ip: string
  last_ip: string
  /** Sort keys for addresses of both versions, also used to detect overlaps (`ip-pool.rules.ts`). */
  first_key: string
  last_key: string
  /** Null for an IPv6 range. */
  first_int: number | null
  last_int: number | null
  /**
   * Positions in an IPv4 range below which no whole address is free, and all free ports are listed in
   * `ip_pool_free_port` (`modules/network/addresses/free-address.ts`). In an IPv6 range, the offset below which no
   * address is free (`free-ipv6.ts`).
   */
  free_addresses_from: Defaulted<number>
  free_ports_from: Defaulted<number>
  time_created: Date
}
/** Ports for SNAT that are free (`modules/network/addresses/free-address.ts`). */
interface IpPoolFreePortTable {
  ip_pool_id: string
  position: number
}
interface IpPoolSiloTable {
  ip_pool_id: string
  silo_id: string
  /** Those of the pool: a silo has one default pool of each type and version. */
  pool_type: Defaulted<'unicast' | 'multicast'>
  ip_version: Defaulted<'v4' | 'v6'>
  is_default: boolean
}
interface ExternalIpTable extends Tracked, Pick<Protectable, 'protection' | 'tags'> {
  /** An ephemeral one that nothing holds is reserved by an item of the recycle bin, whose id it has. */
  kind: 'snat' | 'ephemeral' | 'floating'
  /** Only floating addresses have a name, a description and a project. */
  name: string | null
  description: string | null
  project_id: string | null
  ip: string
  /** A sort key for addresses of both versions (`ip-pool.rules.ts`). */
  ip_key: string
  /** Null for an IPv6 address. */
  ip_int: number | null
  /** From the start of its range; null for an IPv4 address, and for a given one that is far from the start. */
  ipv6_offset: Defaulted<number | null>
  ip_pool_id: string
  /** Of an IPv6 address, always all ports. */
  first_port: number
  last_port: number
  instance_id: string | null
  probe_id: Defaulted<string | null>
}
interface SubnetPoolTable extends Named {
  ip_version: 'v4' | 'v6'
}
/** Bounds of networks are numbers of 128 bits, as decimal text. */
interface SubnetPoolMemberTable {
  id: string
  subnet_pool_id: string
  subnet: string
  /** Sort keys, also used to detect overlaps with ranges of IP pools (`ip-pool.rules.ts`). */
  first_key: string
  last_key: string
  first_int: string
  last_int: string
  min_prefix_length: number
  max_prefix_length: number
  time_created: Date
}
interface SubnetPoolSiloTable {
  subnet_pool_id: string
  silo_id: string
  /** That of the pool: a silo has one default pool of each. */
  ip_version: 'v4' | 'v6'
  is_default: boolean
}
interface ExternalSubnetTable extends Named, Protectable {
  project_id: string
  subnet: string
  first_int: string
  last_int: string
  subnet_pool_id: string
  subnet_pool_member_id: string
  instance_id: string | null
}
/** A group of multicast, which exists as long as it has members. */
interface MulticastGroupTable {
  id: string
  name: string
  description: string
  multicast_ip: string
  /** A sort key (`ip-pool.rules.ts`). */
  ip_key: string
  ip_pool_id: string
  time_created: Date
  time_modified: Date
}
interface MulticastGroupMemberTable {
  id: string
  multicast_group_id: string
  instance_id: string
  /** Empty for any source. */
  source_ips: Json<string[]>
  time_created: Date
  time_modified: Date
}
interface ProbeTable extends Named {
  project_id: string
  sled_id: string
}
/** The network of a VPC with machines, on a fleet that carries packets. */
interface VpcNetworkTable {
  vpc_id: string
  /** Of the state that is wanted; raised when its digest changes. */
  generation: Defaulted<number>
  digest: Defaulted<string>
  time_changed: Date
  /** The generation in force. */
  applied_generation: Defaulted<number>
  time_applied: Defaulted<Date | null>
  problem: JsonOrNull<FailureReason>
  /** External addresses that do not work although the network is in force; null if there are none. */
  refused: JsonOrNull<RefusedAddress[]>
  /** Raised whenever a record changes that may affect it. */
  revision: Defaulted<number>
  /** Up to which it has been compared with the records. */
  seen_revision: Defaulted<number>
  /** Failures in a row, and when to try again. */
  attempts: Defaulted<number>
  retry_at: Defaulted<Date | null>
  /** Until then, one process brings it into force; each time has an id of its own. */
  lease_until: Defaulted<Date | null>
  lease_holder: Defaulted<string | null>
}
interface NetworkInterfaceTable extends Taggable {
  /** Of an instance or of a probe, never of both. */
  instance_id: string | null
  probe_id: Defaulted<string | null>
  vpc_id: string
  subnet_id: string
  mac_int: number
  /** An interface has an address of IPv4, of IPv6, or of both (`modules/network/records/ip-stack.ts`). */
  ip: string | null
  ip_int: number | null
  ipv6: Defaulted<string | null>
  /** A sort key (`ip-pool.rules.ts`). */
  ipv6_key: Defaulted<string | null>
  /** From the start of the subnet's block; null for a given address that is far from it. */
  ipv6_offset: Defaulted<number | null>
  slot: number
  is_primary: boolean
  /** Of both IP versions. */
  transit_ips: Json<string[]>
}

export interface NetworkTracked {
  vpc: VpcTable
  vpc_router: VpcRouterTable
  router_route: RouterRouteTable
  vpc_subnet: VpcSubnetTable
  vpc_firewall_rule: VpcFirewallRuleTable
  internet_gateway: InternetGatewayTable
  internet_gateway_ip_pool: InternetGatewayIpPoolTable
  internet_gateway_ip_address: InternetGatewayIpAddressTable
  ip_pool: IpPoolTable
  external_ip: ExternalIpTable
  subnet_pool: SubnetPoolTable
  external_subnet: ExternalSubnetTable
  probe: ProbeTable
  network_interface: NetworkInterfaceTable
}

export interface NetworkPlain {
  vpc_firewall: VpcFirewallTable
  ip_pool_range: IpPoolRangeTable
  ip_pool_free_port: IpPoolFreePortTable
  ip_pool_silo: IpPoolSiloTable
  multicast_group: MulticastGroupTable
  multicast_group_member: MulticastGroupMemberTable
  subnet_pool_member: SubnetPoolMemberTable
  subnet_pool_silo: SubnetPoolSiloTable
  vpc_network: VpcNetworkTable
}
