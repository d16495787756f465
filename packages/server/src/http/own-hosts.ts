import { isIPv6 } from 'node:net'
import { isLoopback } from '@gantry/api/ip.rules'
import { isSiloDnsName } from '@gantry/api/silo.rules'
import { plainAnswer } from './plain-answer.ts'

export interface HostOptions {
  /** The address that the server listens on. */
  host: string
  origins: readonly string[]
  dnsZone: string
}

/**
 * Refuses a request for an unconfigured host. A page can point its own name at this server (DNS rebinding):
 * the browser then treats the server as part of that page, and only the host name in the request reveals it.
 * Names that cannot be redirected are accepted: loopback names, and the address of the connection.
 */
export function hostRule(options: HostOptions): (request: Request, reached: string) => Response | undefined {
  const named = new Set(options.origins.map((origin) => new URL(origin).host))
  const isOwn = (host: string, reached: string): boolean => {
    const url = `http://${host}`
    if (!URL.canParse(url)) return false
    const { hostname } = new URL(url)
    return (
      // Either scheme's default port may be explicit.
      [url, `https://${host}`].some((spelled) => named.has(new URL(spelled).host)) ||
      isLoopback(hostname) ||
      [options.host, reached].map(asHostname).includes(hostname) ||
      isSiloDnsName(hostname, options.dnsZone)
    )
  }
  return (request, reached) => {
    const { host, protocol } = new URL(request.url)
    // An absolute target names a host of its own, besides the header.
    const hosts = [host, request.headers.get('host') ?? host]
    const foreign = hosts.find((one) => !isOwn(one, reached))
    return foreign === undefined ? undefined : misdirected(foreign, protocol)
  }
}

const asHostname = (address: string): string =>
  isIPv6(address) ? new URL(`http://[${address}]`).hostname : address

const misdirected = (host: string, protocol: string): Response =>
  plainAnswer(
    421,
    `This server does not answer for ${host}. If that is a name of it, start it with --origin ${protocol}//${host}.\n`,
  )
