import {
  formatIpNet,
  hasHostBits,
  type IpNet,
  ipNetProblem,
  knownNet,
  netsOverlap,
  netWithin,
  parseIpNet,
} from '../base/ip.rules.ts'

const uniqueLocal = knownNet('fd00::/8')
const vpcPrefixWidth = 48
export const subnetIpv6Width = 64

export function isVpcPrefix(text: string): boolean {
  const net = parseIpNet(text)
  return net?.width === vpcPrefixWidth && !hasHostBits(net) && netWithin(net, uniqueLocal)
}

/** Why the IPv6 prefix of a new VPC is refused, in the API's words (control plane reference, B 9.1). */
export const vpcPrefixProblem = (text: string): string | undefined =>
  isVpcPrefix(text)
    ? undefined
    : 'VPC IPv6 address prefixes must be in the Unique Local Address range `fd00::/48` (RFD 4193)'

export const subnetWidths = { min: 8, max: 26 } as const
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(knownNet)

/** Why an IPv4 block is refused for a subnet, in the API's words and order (B 10.2). */
export function subnetIpv4Problem(block: IpNet): string | undefined {
  const { min, max } = subnetWidths
  if (!privateRanges.some((range) => netWithin(block, range)))
    return 'VPC Subnet IPv4 address ranges must be from a private range'
  return block.width < min || block.width > max
    ? `VPC Subnet IPv4 address ranges must have prefix length between ${min} and ${max}, inclusive`
    : undefined
}

export function subnetIpv6Problem(text: string, vpcPrefix: string): string | undefined {
  const [block, prefix] = [parseIpNet(text), parseIpNet(vpcPrefix)]
  return block && prefix && block.width === subnetIpv6Width && netWithin(block, prefix)
    ? undefined
    : `VPC Subnet IPv6 address range '${text}' is not valid for VPC with IPv6 prefix '${vpcPrefix}'`
}

/** A form's message for text that is not a network of this version; the schema refuses the same. */
function blockProblem(text: string, version: 4 | 6, word = 'block'): string | undefined {
  const problem = ipNetProblem(text)
  const net = parseIpNet(text)
  if (problem || !net) return problem
  if (net.version !== version) return `Must be an IPv${version} ${word}`
  return hasHostBits(net)
    ? `Must have no host bits, as in ${formatIpNet({ ...net, address: net.first })}`
    : undefined
}

/** A form's message for the IPv6 prefix of a new VPC, for the first problem. */
export function vpcPrefixFieldProblem(text: string): string | undefined {
  const problem = blockProblem(text, 6, 'prefix')
  const net = parseIpNet(text)
  if (problem || !net) return problem
  if (!netWithin(net, uniqueLocal)) return 'Must be a unique local address range, in fd00::/8'
  return net.width === vpcPrefixWidth ? undefined : `Width must be ${vpcPrefixWidth}`
}

/** A form's message for a new subnet's IPv4 block, for the first problem. */
export function subnetIpv4FieldProblem(text: string): string | undefined {
  const net = parseIpNet(text)
  return blockProblem(text, 4) ?? (net && subnetIpv4Problem(net))
}

/** The same for its IPv6 block. */
export const subnetIpv6FieldProblem = (text: string, vpcPrefix: string): string | undefined =>
  blockProblem(text, 6) ?? subnetIpv6Problem(text, vpcPrefix)

/** The first owner of an overlapping block, and that block. */
export function overlapping<Owner>(
  text: string,
  others: readonly Owner[],
  blocksOf: (owner: Owner) => readonly string[],
): { owner: Owner; block: string } | undefined {
  const net = parseIpNet(text)
  for (const owner of others) {
    const block = blocksOf(owner).find((taken) => {
      const other = parseIpNet(taken)
      return net && other && netsOverlap(net, other)
    })
    if (block) return { owner, block }
  }
  return undefined
}
