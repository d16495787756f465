import { isLoopback, netContains, parseIp, parseIpNet } from './ip.rules.ts'

/** Maximum number of entries of the allow list. */
export const maxAllowedIps = 1000

export type AllowedIps = { allow: 'any' } | { allow: 'list'; ips: readonly string[] }

/**
 * Whether requests from an address may reach the API. The server's own host always may, to recover access, like the
 * technician port of a real rack.
 */
export function isAllowedSource(allowed: AllowedIps, address: string): boolean {
  if (allowed.allow === 'any') return true
  // A dual-stack socket writes IPv4 addresses in this way.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isLoopback(plain)) return true
  const ip = parseIp(plain)
  return (
    ip !== undefined &&
    allowed.ips.some((text) => {
      const net = parseIpNet(text)
      return net !== undefined && netContains(net, ip)
    })
  )
}
