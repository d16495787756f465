/**
 * A VPC as the fleet must realize it. Names are resolved to addresses and ineffective parts omitted, so a driver needs
 * no rules of its own: it only translates.
 */
export interface VpcNetwork {
  id: string
  /** Raised whenever anything below differs. */
  generation: number
  /** The 24-bit number of the virtual network. */
  vni: number
  /** The domain of the guests' names. */
  dns_name: string
  subnets: readonly NetworkSubnet[]
  interfaces: readonly NetworkInterface[]
  /**
   * In order of evaluation: the first rule that matches a packet at one of its interfaces decides. Without one, a
   * packet may leave, and may not arrive. Replies to an admitted packet need no rule.
   */
  rules: readonly NetworkRule[]
}

export interface NetworkSubnet {
  id: string
  /** IPv4, in CIDR notation. */
  block: string
  /** The address of the router in the subnet. */
  gateway: string
  /** For packets that leave an interface of the subnet: the longest match decides, and no two blocks are the same. */
  routes: readonly NetworkRoute[]
}
export interface NetworkRoute {
  block: string
  hop: NetworkHop
}
export type NetworkHop =
  /** To the interface with the destination address; without one the packet is dropped. */
  | { type: 'local' }
  /** An interface, if it is the destination or forwards for it (`transit_ips`). */
  | { type: 'interface'; interface_id: string }
  /**
   * Outside, with the first external address of the interface that the gateway carries; without one the packet is
   * dropped, and so is one to an address of a subnet, which is not outside.
   */
  | { type: 'gateway'; gateway_id: string }
  | { type: 'drop' }

export interface NetworkInterface {
  id: string
  instance_id: string
  /** Its current machine, if any. */
  machine_id: string | null
  subnet_id: string
  hostname: string
  /** Of its instance: other guests find it by both. */
  name: string
  mac: string
  ip: string
  /** Where packets to an external address arrive. */
  is_primary: boolean
  /** Blocks that it may send from and receive for, besides its own address. */
  transit_ips: readonly string[]
  /** Of its instance, alike for all its interfaces, in order of preference for packets that leave. */
  external: readonly ExternalAddress[]
}
export interface ExternalAddress {
  /** Only floating and ephemeral ones accept connections from outside; `snat` shares its address by ports. */
  kind: 'floating' | 'ephemeral' | 'snat'
  ip: string
  first_port: number
  last_port: number
  /**
   * The gateways that carry it. A packet from outside is admitted only if the primary interface's route back to its
   * source leads to one of them.
   */
  gateway_ids: readonly string[]
}

/** Every present condition must hold. */
export interface NetworkRule {
  direction: 'inbound' | 'outbound'
  action: 'allow' | 'deny'
  /** Where it applies. */
  interface_ids: readonly string[]
  /** Disjoint IPv4 blocks of the other end. */
  hosts?: readonly string[]
  /** Ports of the receiver; a protocol without ports does not match. */
  ports?: readonly NetworkRange[]
  protocols?: readonly NetworkProtocol[]
}
export interface NetworkRange {
  first: number
  last: number
}
export type NetworkProtocol =
  | { type: 'tcp' | 'udp' }
  | { type: 'icmp'; icmp_type?: number; codes?: NetworkRange }

/** Networks of VPCs. They provide the interfaces of machines, so a network precedes its machines. */
export interface Networks {
  /** Whether packets can reach external addresses from outside. */
  readonly hasExternalAddresses: boolean
  /**
   * Brings a VPC into this state as a whole: no packet meets a mixture of two generations. An older generation than the
   * one in force changes nothing. Returns the generation in force, or throws `NetworkFailure`.
   */
  apply: (network: VpcNetwork) => Promise<number>
  /** Ends the networks of VPCs without machines; unknown ones are no error. */
  remove: (vpcIds: readonly string[]) => Promise<void>
  /** The generation in force of each VPC that has a network, from the engine itself. */
  inForce: () => Promise<Map<string, number>>
  /** External addresses that VPCs should have and do not, by VPC, as of the last `apply`, `remove` or `inForce`. */
  refused: () => ReadonlyMap<string, readonly RefusedAddress[]>
}

/** Why an external address does not work although its network is in force, with the next step, for users. */
export interface RefusedAddress {
  ip: string
  message: string
  next_step: string
}

/** Why a network is not in force, with the next step, for users. The cause is for the log. */
export class NetworkFailure extends Error {
  constructor(
    message: string,
    readonly nextStep: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
