/** Four decimal octets without leading zeros: `010.0.0.1` and `1` are not addresses here. */
export function isIpv4(text: string): boolean {
  const octets = text.split('.')
  return (
    octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)
  )
}

/** Eight groups, or one `::` for at least one group; an IPv4 tail counts as two groups; no zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const tail = groups.at(-1)
  let count = groups.length
  if (tail?.includes('.')) {
    if (!text.endsWith(tail) || !isIpv4(tail)) return false
    groups.pop()
    count++
  }
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false
  return halves.length === 2 ? count <= 7 : count === 8
}

export interface IpAddress {
  version: 4 | 6
  /** The address as one number, of 32 or 128 bits. */
  value: bigint
}

export function parseIp(text: string): IpAddress | undefined {
  if (isIpv4(text)) return { version: 4, value: ipv4Value(text) }
  return isIpv6(text) ? { version: 6, value: ipv6Value(text) } : undefined
}

/** Multiplied, not shifted: bitwise operators would make the upper half negative. */
const ipv4Value = (text: string): bigint =>
  BigInt(text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0))

function ipv6Value(text: string): bigint {
  const [head = [], tail] = text.split('::').map(groupsOf)
  const groups = tail ? [...head, ...Array<bigint>(8 - head.length - tail.length).fill(0n), ...tail] : head
  return groups.reduce((sum, group) => sum * 65_536n + group, 0n)
}

function groupsOf(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const ipv4 = ipv4Value(group)
    return [ipv4 / 65_536n, ipv4 % 65_536n]
  })
}

/** The canonical text in which an address is stored and shown; IPv6 as in RFC 5952, sections 4 and 5. */
export function formatIp({ version, value }: IpAddress): string {
  if (version === 6 && value >> 32n === mappedPrefix)
    return `::ffff:${formatIp({ version: 4, value: value & 0xff_ff_ff_ffn })}`
  const parts = version === 4 ? 4 : 8
  const bits = version === 4 ? 8n : 16n
  const numbers = Array.from({ length: parts }, (_, index) =>
    Number((value >> (BigInt(parts - 1 - index) * bits)) & ((1n << bits) - 1n)),
  )
  return version === 4 ? numbers.join('.') : ipv6Text(numbers)
}

/** `::ffff:0:0/96`, whose addresses stand for those of IPv4. */
const mappedPrefix = 0xff_ffn

/** The first longest run of at least two zero groups becomes `::`. */
function ipv6Text(groups: readonly number[]): string {
  let [start, length] = [0, 0]
  for (let from = 0; from < groups.length; from++) {
    let end = from
    while (groups[end] === 0) end++
    if (end - from > length) [start, length] = [from, end - from]
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`
}

export const isIp = (text: string): boolean => isIpv4(text) || isIpv6(text)

/** Whether an address, or the host of a URL, is loopback. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  host === '[::1]' ||
  (isIpv4(host) && host.startsWith('127.'))

export const ipProblem = (text: string): string | undefined =>
  isIp(text) ? undefined : 'Not a valid IP address'

/** The problem with `address/width`, in the words of the specification's section 5. */
export function ipNetProblem(text: string): string | undefined {
  const [address = '', width = '', ...rest] = text.split('/')
  if (rest.length > 0 || !isIp(address) || width.trim() === '')
    return 'Must contain an IP address and a width, separated by a /'
  if (!/^\d+$/.test(width)) return 'Width must be an integer'
  if (isIpv4(address)) return Number(width) > 32 ? 'Max width for IPv4 is 32' : undefined
  return Number(width) > 128 ? 'Max width for IPv6 is 128' : undefined
}

/** A network, with the bounds of its addresses. */
export interface IpNet {
  version: 4 | 6
  width: number
  /** The address as written, which may have host bits set. */
  address: bigint
  first: bigint
  last: bigint
}

/** Requires a text without an `ipNetProblem`. */
export function parseIpNet(text: string): IpNet | undefined {
  const slash = text.indexOf('/')
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash))
  if (!ip || !/^\d+$/.test(text.slice(slash + 1))) return undefined
  const width = Number(text.slice(slash + 1))
  const { version, value } = ip
  const size = version === 4 ? 32 : 128
  if (width > size) return undefined
  const behind = BigInt(size - width)
  const first = (value >> behind) << behind
  return { version, width, address: value, first, last: first + (1n << behind) - 1n }
}

/** Normalises the spelling; host bits stay. */
export const formatIpNet = ({ version, address, width }: IpNet): string =>
  `${formatIp({ version, value: address })}/${width}`

export const hasHostBits = (net: IpNet): boolean => net.address !== net.first

export const netContains = (
  net: Pick<IpNet, 'version' | 'first' | 'last'>,
  { version, value }: IpAddress,
): boolean => net.version === version && net.first <= value && value <= net.last

export const netsOverlap = (one: IpNet, other: IpNet): boolean =>
  one.version === other.version && one.first <= other.last && other.first <= one.last

/** Whether one network is entirely inside another. */
export const netWithin = (inner: IpNet, outer: IpNet): boolean =>
  inner.version === outer.version && outer.first <= inner.first && inner.last <= outer.last

/** For networks written in code. */
export function knownNet(text: string): IpNet {
  const net = parseIpNet(text)
  if (!net) throw new Error(`${text} is not a network`)
  return net
}
