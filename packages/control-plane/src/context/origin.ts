import { isLoopback } from '@gantry/api/base/ip.rules'
import { isSiloDnsName } from '@gantry/api/people/silo.rules'
import type { Services } from './services.ts'
import { forbidden } from './refusal.ts'

type Served = Pick<Services, 'origins' | 'secure' | 'dnsZone'>

/** Whether the browser used https: by configuration, or by a trusted proxy's header on this request. */
export const isSecure = ({ secure }: Pick<Served, 'secure'>, request: Request): boolean =>
  secure || request.url.startsWith('https:')

/**
 * The origins at which browsers reach this server: the configured ones and those of the silo that the request
 * names, or else the origin of the request itself. The transport refuses requests for foreign hosts.
 */
function ownOrigins(served: Served, request: Request): readonly string[] {
  const named = namedOrigin(served, request)
  if (served.origins.length === 0) return [named]
  return isSiloDnsName(new URL(named).hostname, served.dnsZone) ? [...served.origins, named] : served.origins
}

/**
 * The origin that the browser uses. Its `Origin` header is reliable even where a proxy rewrote `Host`;
 * otherwise the host of the request, or the first configured origin if neither is ours.
 */
export function ownOrigin(served: Served, request: Request): string {
  const origins = ownOrigins(served, request)
  const { host } = new URL(namedOrigin(served, request))
  const stated = origins.find((origin) => origin === request.headers.get('origin'))
  return stated ?? origins.find((origin) => new URL(origin).host === host) ?? origins[0] ?? ''
}

/** From `Host`, unless it is not a valid host, which only a program would send. */
function namedOrigin(served: Served, request: Request): string {
  const scheme = isSecure(served, request) ? 'https' : 'http'
  const named = `${scheme}://${request.headers.get('host') ?? ''}/`
  const isHost = URL.canParse(named) && new URL(named).href === `${new URL(named).origin}/`
  return isHost ? new URL(named).origin : `${scheme}://${new URL(request.url).host}`
}

/**
 * The origins whose pages may write: those above, and the host of the request, which the transport has
 * checked. Loopback http cannot be tampered with, so it is accepted beside https, for the development console
 * and for operators on the machine itself.
 */
function writingOrigins(served: Served, request: Request): readonly string[] {
  const { origin, host, hostname } = new URL(namedOrigin(served, request))
  return [...served.origins, origin, ...(isLoopback(hostname) ? [`http://${host}`] : [])]
}

/**
 * Refuses a write or an upgrade that another site's page made a browser send with its cookie. Browsers name
 * the page's origin with each of them. When privacy settings suppress `Origin`, `Sec-Fetch-Site` (which pages
 * cannot set) or `Referer` still identifies the source. A request with none of the three comes from a program
 * that was given the cookie; old browsers without these headers honour `SameSite=Lax`.
 */
export function refuseElsewhere(served: Served, request: Request): void {
  if (!isOwn(request.headers, writingOrigins(served, request)))
    throw forbidden('a request from this console, not from another site')
}

function isOwn(headers: Headers, own: readonly string[]): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return own.includes(origin)
  const site = headers.get('sec-fetch-site')
  // `none` means that the user started it, for example from a bookmark: no page was involved.
  if (site !== null) return site === 'same-origin' || site === 'none'
  const referer = headers.get('referer')
  return referer === null || (URL.canParse(referer) && own.includes(new URL(referer).origin))
}
