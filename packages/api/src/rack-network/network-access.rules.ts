import { isLoopback, netContains, parseIp, parseIpNet } from '../base/ip.rules.ts'

/** Maximum number of entries of the allow list. */
export const maxAllowedIps = 1000

export type AllowedIps = { allow: 'any' } | { allow: 'list'; ips: readonly string[] }

/**
 * Returns whether requests from an address may reach the API. The networks are parsed once, because every request asks.
 * The server's own host always may, to recover access, like the technician port of a real rack.
 */
export function sourceFilter(allowed: AllowedIps): (address: string) => boolean {
  if (allowed.allow === 'any') return () => true
  const networks = allowed.ips.flatMap((text) => parseIpNet(text) ?? [])
  return (address) => {
    // A dual-stack socket writes IPv4 addresses in this way.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    if (isLoopback(plain)) return true
    const ip = parseIp(plain)
    return ip !== undefined && networks.some((network) => netContains(network, ip))
  }
}
