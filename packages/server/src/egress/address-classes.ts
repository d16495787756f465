import { type IpAddress, type IpNet, knownNet, netContains, parseIp } from '@gantry/api/base/ip.rules'

const nets = (...texts: string[]): IpNet[] => texts.map(knownNet)

/** IPv4 ranges outside the public internet (IANA's registry of special-purpose addresses). */
const reservedIpv4 = nets(
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the virtual machine host of a large cloud
  '169.254.0.0/16', // link-local, including cloud metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
)

/** All allocated IPv6; loopback, link-local, unique local and multicast are outside. */
const globalIpv6 = knownNet('2000::/3')
const reservedIpv6 = nets(
  '2001::/23', // protocol assignments, including Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds any IPv4 address
  '3fff::/20', // documentation
)

/** IPv6 ranges that translate to the IPv4 address in the last 32 bits. */
const embeddingIpv4 = nets('::ffff:0:0/96', '64:ff9b::/96')

/** Whether an address is on the public internet, or in a network that the operator allows. */
export function isReachable(text: string, allowed: readonly IpNet[]): boolean {
  const given = parseIp(text)
  if (!given) return false
  const address = destinationOf(given)
  return isPublic(address) || allowed.some((net) => netContains(net, address))
}

function destinationOf(address: IpAddress): IpAddress {
  const isEmbedding = embeddingIpv4.some((net) => netContains(net, address))
  return isEmbedding ? { version: 4, value: address.value & 0xffff_ffffn } : address
}

function isPublic(address: IpAddress): boolean {
  if (address.version === 6 && !netContains(globalIpv6, address)) return false
  return ![...reservedIpv4, ...reservedIpv6].some((net) => netContains(net, address))
}
