import { type IpAddress, knownNet, parseIp } from '../base/ip.rules.ts'

/** Maximum number of ranges in a pool. */
export const maxPoolRanges = 1000
export const poolTypes = ['unicast', 'multicast'] as const
export type PoolType = (typeof poolTypes)[number]

export const rangeOrderProblem = 'IP address ranges must be non-decreasing'

interface Bounds {
  first: IpAddress
  last: IpAddress
}

/** The bounds of a range; undefined unless both addresses are of one version and in order. */
export function rangeBounds(first: string, last: string): Bounds | undefined {
  const bounds = { first: parseIp(first), last: parseIp(last) }
  const { first: low, last: high } = bounds
  if (!low || !high || low.version !== high.version || low.value > high.value) return undefined
  return { first: low, last: high }
}

/** A form's message for a single range. */
export function rangeProblem(first: string, last: string): string | undefined {
  const low = parseIp(first)
  const high = parseIp(last)
  if (!low || !high) return 'Not a valid IP address'
  if (low.version !== high.version) return 'First and last must both be IPv4 or both be IPv6'
  return low.value > high.value ? 'First must not be greater than last' : undefined
}

/** Addresses that no machine can have for others: the text of the network, and what it is for. */
const unreachable = (
  [
    ['0.0.0.0/8', 'unspecified addresses'],
    ['127.0.0.0/8', 'loopback addresses'],
    ['169.254.0.0/16', 'link-local addresses'],
    ['224.0.0.0/4', 'multicast addresses'],
    ['255.255.255.255/32', 'the broadcast address'],
    ['::/128', 'the unspecified address'],
    ['::1/128', 'the loopback address'],
    ['::ffff:0:0/96', 'mapped IPv4 addresses'],
    ['fe80::/10', 'link-local addresses'],
    ['ff00::/8', 'multicast addresses'],
  ] as const
).map(([text, words]) => ({ text, words, net: knownNet(text) }))

/** Why a well-formed range has addresses that would reach no machine. */
export function unreachableProblem(first: string, last: string): string | undefined {
  const bounds = rangeBounds(first, last)
  if (!bounds) return undefined
  const { version, value: low } = bounds.first
  const found = unreachable.find(
    ({ net }) => net.version === version && low <= net.last && net.first <= bounds.last.value,
  )
  return found && `The range includes ${found.words} (${found.text}), at which no machine can be reached`
}

/** A sort key for addresses: the version, then the number in fixed-width hexadecimal. */
export const addressKey = ({ version, value }: IpAddress): string =>
  `${version}${value.toString(16).padStart(version === 4 ? 8 : 32, '0')}`

/** Whether a text is such a key. */
export const isAddressKey = (text: string): boolean => /^(?:4[\da-f]{8}|6[\da-f]{32})$/.test(text)

/** Number of addresses from the first to the last key, inclusive: up to 2^128. */
export const addressCount = (firstKey: string, lastKey: string): bigint =>
  BigInt(`0x${lastKey.slice(1)}`) - BigInt(`0x${firstKey.slice(1)}`) + 1n
