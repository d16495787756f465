import { formatIp, hasHostBits, type IpNet, netWithin, parseIpNet } from '../base/ip.rules.ts'

/** Maximum number of members in a pool. */
export const maxPoolMembers = 1000

/** The width of a network with a single address. */
export const widest = (version: 'v4' | 'v6'): number => (version === 'v4' ? 32 : 128)

export interface MemberInput {
  subnet: string
  /** Absent: the member's own width, and a single address. */
  minPrefixLength?: number | null | undefined
  maxPrefixLength?: number | null | undefined
}

/** Why a text is no network of the version; undefined for one without host bits. */
export function blockProblem(text: string, version?: 'v4' | 'v6'): string | undefined {
  const net = parseIpNet(text)
  if (!net) return 'Not a valid network, such as 198.51.100.0/24'
  if (version && `v${net.version}` !== version)
    return `${text} is a network of IPv${net.version}, and the pool has those of IP${version}`
  if (!hasHostBits(net)) return undefined
  const first = formatIp({ version: net.version, value: net.first })
  return `${text} has host bits set; the network is ${first}/${net.width}`
}

/** The prefix lengths that may be allocated from a member. */
export function lengthsOf(
  net: Pick<IpNet, 'version' | 'width'>,
  { minPrefixLength, maxPrefixLength }: MemberInput,
) {
  return { min: minPrefixLength ?? net.width, max: maxPrefixLength ?? widest(`v${net.version}`) }
}

/** Why a network cannot be a member of a pool of this version. */
export function memberProblem(member: MemberInput, version: 'v4' | 'v6'): string | undefined {
  const net = parseIpNet(member.subnet)
  const problem = blockProblem(member.subnet, version)
  if (problem || !net) return problem
  const { min, max } = lengthsOf(net, member)
  const most = widest(version)
  if (max > most || min > most) return `Prefix lengths of IP${version} are at most ${most}`
  if (min < net.width || max < net.width)
    return `Prefix lengths must be at least ${net.width}, the length of the member's own prefix`
  return min > max ? 'The shortest prefix length must not exceed the longest' : undefined
}

/** Whether a network may be allocated from a member. */
export function admits(
  member: { subnet: string; min_prefix_length: number; max_prefix_length: number },
  net: IpNet,
): boolean {
  const outer = parseIpNet(member.subnet)
  return (
    outer !== undefined &&
    netWithin(net, outer) &&
    member.min_prefix_length <= net.width &&
    net.width <= member.max_prefix_length
  )
}
