import { formatIp, hasHostBits, parseIp, parseIpNet } from '@gantry/api/base/ip.rules'
import { isVpcPrefix, subnetIpv6Width } from '@gantry/api/network/vpc.rules'
import { toHex } from '@gantry/control-plane/context/ids'

/** An IPv4 network: its text, and its bounds as integers, as stored in columns. */
interface Ipv4Block {
  text: string
  first: number
  last: number
}

export function parseIpv4(text: string): number | undefined {
  const ip = parseIp(text)
  return ip?.version === 4 ? Number(ip.value) : undefined
}

export const formatIpv4 = (address: number): string => formatIp({ version: 4, value: BigInt(address) })

/** Parses a network; refuses an address with bits set beyond the prefix. */
export function parseIpv4Block(text: string): Ipv4Block | undefined {
  const net = parseIpNet(text)
  return net?.version === 4 && !hasHostBits(net)
    ? { text, first: Number(net.first), last: Number(net.last) }
    : undefined
}

/** A random unique-local /48: `fd`, then 40 bits (RFC 4193). */
export function randomVpcPrefix(random: (length: number) => Uint8Array): string {
  const value = BigInt(`0xfd${toHex(random(5))}`) << 80n
  return `${formatIp({ version: 6, value })}/48`
}

/** One of the 65,536 /64 networks of a VPC's /48. */
export function ipv6SubnetOf(prefix: string, index: number): string {
  const net = isVpcPrefix(prefix) ? parseIpNet(prefix) : undefined
  if (!net) throw new Error(`${prefix} is not a VPC prefix`)
  return `${formatIp({ version: 6, value: net.first + (BigInt(index) << 64n) })}/${subnetIpv6Width}`
}

/** `A8:40:25:F0:00:00` from the 48-bit number. */
export const formatMac = (mac: number): string =>
  (mac.toString(16).padStart(12, '0').toUpperCase().match(/../g) ?? []).join(':')

export function parseMac(text: string): number | undefined {
  return /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text)
    ? Number.parseInt(text.replaceAll(':', ''), 16)
    : undefined
}
