import { type IpAddress, parseIp } from './ip.rules.ts'

/** Maximum number of ranges in a pool. */
export const maxPoolRanges = 1000

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

/** A form's message for a range by itself. */
export function rangeProblem(first: string, last: string): string | undefined {
  const low = parseIp(first)
  const high = parseIp(last)
  if (!low || !high) return 'Not a valid IP address'
  if (low.version !== high.version) return 'First and last must both be IPv4 or both be IPv6'
  return low.value > high.value ? 'First must not be greater than last' : undefined
}

/** A sort key for addresses: the version, then the number in fixed-width hexadecimal. */
export const addressKey = ({ version, value }: IpAddress): string =>
  `${version}${value.toString(16).padStart(version === 4 ? 8 : 32, '0')}`

/** Number of addresses from the first to the last key, inclusive: up to 2^128. */
export const addressCount = (firstKey: string, lastKey: string): bigint =>
  BigInt(`0x${lastKey.slice(1)}`) - BigInt(`0x${firstKey.slice(1)}`) + 1n
