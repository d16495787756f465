import { isIpv4 } from '@gantry/api/base/ip.rules'

function toNumber(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function toText(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

export interface Ipv4Network {
  network: string
  broadcast: string
  /** The first address after the network address, which a VPC subnet reserves for its gateway. */
  gateway: string
}

/** The network of an address with this prefix length. */
export function networkOf(ip: string, prefixLength: number): Ipv4Network | undefined {
  if (!isIpv4(ip)) return undefined
  // Arithmetic rather than bit operations, which are signed at 32 bits.
  const size = 2 ** (32 - prefixLength)
  const first = Math.floor(toNumber(ip) / size) * size
  return { network: toText(first), broadcast: toText(first + size - 1), gateway: toText(first + 1) }
}

/** The link-local IPv6 address derived from a MAC address (RFC 4291, appendix A). */
export function linkLocal(mac: string): string | undefined {
  const bytes = mac.split(':').map((part) => Number.parseInt(part, 16))
  if (bytes.length !== 6 || bytes.some(Number.isNaN)) return undefined
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = bytes
  const groups = [
    [a ^ 2, b],
    [c, 0xff],
    [0xfe, d],
    [e, f],
  ] // flips the universal/local bit
  return `fe80::${groups.map(([high = 0, low = 0]) => (high * 256 + low).toString(16)).join(':')}`
}
