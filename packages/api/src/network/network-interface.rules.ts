import { hasHostBits, type IpNet, knownNet, netContains, netsOverlap, parseIpNet } from '../base/ip.rules.ts'

const special = {
  multicast: [knownNet('224.0.0.0/4'), knownNet('ff00::/8')],
  loopback: [knownNet('127.0.0.0/8'), knownNet('::1/128')],
}

/**
 * Why the transit networks of an interface are refused, in the API's words (control plane reference, B 14.3).
 */
export function transitIpsProblem(blocks: readonly string[]): string | undefined {
  const seen: { text: string; net: IpNet }[] = []
  for (const text of blocks) {
    const net = parseIpNet(text)
    if (!net) return `transit IP block ${text} is not a network`
    if (hasHostBits(net)) return `transit IP block ${text} has a non-zero host identifier`
    for (const [kind, ranges] of Object.entries(special)) {
      if (!ranges.some((range) => netContains(range, { version: net.version, value: net.first }))) continue
      const single = net.first === net.last
      return single
        ? `transit IP ${text} is a ${kind} address`
        : `transit IP block ${text} is a ${kind} network`
    }
    const other = seen.find((one) => netsOverlap(one.net, net))
    if (other) return `transit IP block ${text} overlaps with ${other.text}`
    seen.push({ text, net })
  }
  return undefined
}

interface SubnetChoice {
  vpc: string
  subnet: string
}

/** Why interfaces cannot be on one instance, in the API's words (control plane reference, B 3.2 and 14.2). */
export const subnetProblems = {
  severalVpcs: 'All interfaces must be in the same VPC',
  sameSubnet: 'Each interface must be in a distinct VPC Subnet',
} as const

/** The problem with the VPC and subnet of an additional interface, both by name. */
export function subnetProblem(choice: SubnetChoice, others: readonly SubnetChoice[]): Partial<SubnetChoice> {
  if (others.some(({ vpc }) => vpc !== choice.vpc)) return { vpc: subnetProblems.severalVpcs }
  return others.some(({ subnet }) => subnet === choice.subnet) ? { subnet: subnetProblems.sameSubnet } : {}
}
