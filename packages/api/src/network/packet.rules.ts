/** The possible outcomes for a packet, each with its sentence. */
export const packetReasons = {
  arrives: 'An inbound rule allows it.',
  leaves: 'It leaves the VPC through an internet gateway.',
  same_instance: 'It never leaves the instance.',
  outbound_denied: 'An outbound rule denies it.',
  inbound_denied: 'An inbound rule denies it.',
  nothing_allows: 'No inbound rule allows it.',
  no_route: 'No route leads to the destination.',
  route_drops: 'A route drops it.',
  not_forwarded: 'The route leads to an instance that does not accept the destination as a transit network.',
  no_such_host: 'No instance has that address.',
  no_interface: 'The instance has no network interface in this VPC.',
  no_external_address: 'The instance has no external address to send it from.',
  no_way_back: 'Replies cannot leave through a gateway that has the external address.',
  no_ipv4: 'An instance at an end of it has no IPv4 address in this VPC.',
  no_ipv6: 'An instance at an end of it has no IPv6 address in this VPC.',
  not_in_vpc: 'Neither end is in this VPC.',
} as const
export type PacketReason = keyof typeof packetReasons

/** The only reason why a rule does not admit a denied packet. */
export const nearMissReasons = ['disabled', 'host'] as const
export type NearMissReason = (typeof nearMissReasons)[number]

/** Whether the packet reaches its destination. */
export const isDelivered = (reason: PacketReason): boolean =>
  reason === 'arrives' || reason === 'leaves' || reason === 'same_instance'
