import { isIPv6 } from 'node:net'
import { isLoopback } from '@gantry/api/base/ip.rules'
import { isSiloDnsName } from '@gantry/api/people/silo.rules'
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
export function hostRule(
  options: HostOptions,
): (url: URL, header: string | null, reached: string) => Response | undefined {
  const named = new Set(options.origins.map((origin) => new URL(origin).host))
  const listening = asHostname(options.host)
  const isOwn = ({ host, hostname }: URL, reached: string): boolean =>
    isLoopback(hostname) ||
    named.has(host) ||
    // Either scheme's default port may be explicit.
    ['http', 'https'].some((scheme) => named.has(new URL(`${scheme}://${host}`).host)) ||
    hostname === listening ||
    hostname === asHostname(reached) ||
    isSiloDnsName(hostname, options.dnsZone)

  return (url, header, reached) => {
    if (!isOwn(url, reached)) return misdirected(url.host, url)
    // An absolute target names a host of its own, besides the header.
    if (header === null || header === url.host) return undefined
    const stated = `http://${header}`
    return URL.canParse(stated) && isOwn(new URL(stated), reached) ? undefined : misdirected(header, url)
  }
}

const asHostname = (address: string): string =>
  isIPv6(address) ? new URL(`http://[${address}]`).hostname : address

const misdirected = (host: string, { protocol }: URL): Response =>
  plainAnswer(
    421,
    `This server does not answer for ${host}. If that is a name of it, start it with --origin ${protocol}//${host}.\n`,
  )
