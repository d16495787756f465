import { isIpv4, isIpv6 } from '@gantry/api/ip.rules'
import { toHex } from '../../kernel/cx.ts'

/** An IPv4 network: its text and its bounds as integers. */
interface Ipv4Block {
  text: string
  first: number
  last: number
}

/** Eight 16-bit groups. */
type Ipv6 = readonly number[]

export function parseIpv4(text: string): number | undefined {
  if (!isIpv4(text)) return undefined
  // Multiplied, not shifted: bitwise operators would make the upper half negative.
  return text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
}

export const formatIpv4 = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')

/** Strict: four octets, a plain width, and no bit set behind it. */
export function parseIpv4Block(text: string): Ipv4Block | undefined {
  const [address = '', width = '', ...rest] = text.split('/')
  const first = parseIpv4(address)
  if (first === undefined || rest.length > 0 || !/^(0|[1-9]\d?)$/.test(width) || Number(width) > 32)
    return undefined
  const size = 2 ** (32 - Number(width))
  return first % size === 0 ? { text, first, last: first + size - 1 } : undefined
}

export function parseIpv6(text: string): Ipv6 | undefined {
  if (!isIpv6(text)) return undefined
  const [head = [], tail] = text.split('::').map(groupsOf)
  return tail ? [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail] : head
}

function groupsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    const ipv4 = parseIpv4(group)
    return ipv4 === undefined ? [Number.parseInt(group, 16)] : [Math.floor(ipv4 / 65_536), ipv4 % 65_536]
  })
}

/** The canonical text: lower case, no leading zeros, the first longest run of zero groups as `::` (RFC 5952). */
export function formatIpv6(groups: Ipv6): string {
  const [start, length] = longestZeros(groups)
  const hex = (part: Ipv6): string => part.map((group) => group.toString(16)).join(':')
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`
}

function longestZeros(groups: Ipv6): [start: number, length: number] {
  let best: [number, number] = [0, 0]
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === 0) end++
    if (end - start > best[1]) best = [start, end - start]
  }
  return best
}

/** A random unique-local /48: `fd`, then 40 bits (RFC 4193). */
export function randomVpcPrefix(random: (length: number) => Uint8Array): string {
  const hex = `fd${toHex(random(5))}`
  const groups = [0, 4, 8].map((at) => Number.parseInt(hex.slice(at, at + 4), 16))
  return `${formatIpv6([...groups, 0, 0, 0, 0, 0])}/48`
}

/** The three groups of a /48 that lies in `fd00::/8` and has no bit behind its width. */
function vpcPrefixGroups(prefix: string): Ipv6 | undefined {
  const [address = '', width, ...rest] = prefix.split('/')
  const groups = parseIpv6(address)
  if (!groups || width !== '48' || rest.length > 0) return undefined
  const local = Math.floor((groups[0] ?? 0) / 256) === 0xfd
  return local && groups.slice(3).every((group) => group === 0) ? groups.slice(0, 3) : undefined
}

export const isVpcPrefix = (prefix: string): boolean => vpcPrefixGroups(prefix) !== undefined

/** One of the 65,536 /64 networks of a VPC's /48. */
export function ipv6SubnetOf(prefix: string, index: number): string {
  const groups = vpcPrefixGroups(prefix)
  if (!groups) throw new Error(`${prefix} is no prefix of a VPC`)
  return `${formatIpv6([...groups, index, 0, 0, 0, 0])}/64`
}

/** `A8:40:25:F0:00:00` from the 48-bit number. */
export const formatMac = (mac: number): string =>
  (mac.toString(16).padStart(12, '0').toUpperCase().match(/../g) ?? []).join(':')

export function parseMac(text: string): number | undefined {
  return /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text)
    ? Number.parseInt(text.replaceAll(':', ''), 16)
    : undefined
}
