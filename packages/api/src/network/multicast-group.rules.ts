import { type IpAddress, knownNet, netContains, parseIp } from '../base/ip.rules.ts'

/** Maximum number of groups that an instance is a member of. */
export const maxGroupsOfInstance = 32
/** Maximum number of sources that a member listens to. */
export const maxSources = 64

const nets = (texts: readonly string[]) => texts.map(knownNet)
const isIn = (all: ReturnType<typeof nets>, ip: IpAddress): boolean => all.some((net) => netContains(net, ip))

const multicast = nets(['224.0.0.0/4', 'ff00::/8'])
/** `ff3x::/32` of every scope (RFC 4607), and its IPv4 counterpart. */
const sourceSpecific = nets([
  '232.0.0.0/8',
  ...Array.from({ length: 16 }, (_, scope) => `ff3${scope.toString(16)}::/32`),
])
/** Of one link or one machine, or reserved. */
const unusable = (
  [
    ['224.0.0.0/24', 'of one link'],
    ['ff00::/16', 'reserved'],
    ['ff01::/16', 'of one machine'],
    ['ff02::/16', 'of one link'],
    ['ff04::/64', 'of the rack itself'],
  ] as const
).map(([text, words]) => ({ text, words, net: knownNet(text) }))

/** Addresses from which no single machine sends. */
const noSources = nets([
  '0.0.0.0/32',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  '::1/128',
  'fe80::/10',
  'ff00::/8',
])

export const isMulticast = (ip: IpAddress): boolean => isIn(multicast, ip)

/** Whether members must say which sources they listen to. */
export const isSourceSpecific = (ip: IpAddress): boolean => isIn(sourceSpecific, ip)

/** The problem with an address from which a member is to hear. */
export function sourceProblem(text: string): string | undefined {
  const ip = parseIp(text)
  if (!ip) return 'Not a valid IP address'
  return isIn(noSources, ip) ? 'No single machine sends from this address' : undefined
}

/** The problem with a range of a pool of multicast addresses. */
export function multicastRangeProblem(first: IpAddress, last: IpAddress): string | undefined {
  if (!isMulticast(first) || !isMulticast(last)) return 'The range has addresses that are not multicast'
  const touched = unusable.find(
    ({ net }) => net.version === first.version && first.value <= net.last && net.first <= last.value,
  )
  if (touched) return `The range includes multicast addresses ${touched.words} (${touched.text})`
  return isSourceSpecific(first) === isSourceSpecific(last) && !crosses(first, last)
    ? undefined
    : 'The range mixes source-specific and any-source addresses'
}

/** Whether a block of the other sort begins or ends inside. */
const crosses = (first: IpAddress, last: IpAddress): boolean =>
  sourceSpecific.some(
    (net) =>
      net.version === first.version &&
      first.value <= net.last &&
      net.first <= last.value &&
      !(net.first <= first.value && last.value <= net.last),
  )

/** The problem with a range of a pool of unicast addresses. */
export const unicastRangeProblem = (first: IpAddress, last: IpAddress): string | undefined =>
  multicast.some((net) => net.version === first.version && first.value <= net.last && net.first <= last.value)
    ? 'The range has multicast addresses'
    : undefined

/** The name of a group that is known by its address alone: `mcast-224-1-2-3`. */
export function nameOfAddress({ version, value }: IpAddress): string {
  const [parts, bits, base] = version === 4 ? [4, 8n, 10] : [8, 16n, 16]
  const numbers = Array.from({ length: parts }, (_, index) =>
    ((value >> (BigInt(parts - 1 - index) * bits)) & ((1n << bits) - 1n)).toString(base),
  )
  return `mcast-${numbers.join('-')}`
}
