import { isSiloDnsName } from '@gantry/api/silo.rules'
import type { Services } from './cx.ts'
import { forbidden } from './refusal.ts'

type Served = Pick<Services, 'origins' | 'secure' | 'dnsZone'>

/** Whether the browser came by https: as the server was told, or as a proxy that it trusts says of this request. */
export const isSecure = ({ secure }: Pick<Served, 'secure'>, request: Request): boolean =>
  secure || new URL(request.url).protocol === 'https:'

/**
 * The origins by which browsers reach this server: those it was told and the silo's that the request names, or
 * whichever the request names. The transport refuses requests that name a host which is none of ours.
 */
function ownOrigins(served: Served, request: Request): readonly string[] {
  const named = namedOrigin(served, request)
  if (served.origins.length === 0) return [named]
  return isSiloDnsName(new URL(named).hostname, served.dnsZone) ? [...served.origins, named] : served.origins
}

/** The one of them that this request came by; the first where it names another, which anybody can. */
export function ownOrigin(served: Served, request: Request): string {
  const origins = ownOrigins(served, request)
  const { host } = new URL(namedOrigin(served, request))
  return origins.find((origin) => new URL(origin).host === host) ?? origins[0] ?? ''
}

/** By the `Host` that it names, unless that is no host at all, which only a program would send. */
function namedOrigin(served: Served, request: Request): string {
  const scheme = isSecure(served, request) ? 'https' : 'http'
  const named = `${scheme}://${request.headers.get('host') ?? ''}/`
  const isHost = URL.canParse(named) && new URL(named).href === `${new URL(named).origin}/`
  return isHost ? new URL(named).origin : `${scheme}://${new URL(request.url).host}`
}

/**
 * Refuses a write, or an upgrade, that a page of another site made a browser send with its cookie.
 *
 * Browsers say with every one of them which page's origin it is of. One that leaves it out, as privacy settings can
 * make it, still says by `Sec-Fetch-Site` (that no page can write) or by `Referer` where it comes from. A request
 * with none of the three is a program's, which has the cookie because somebody gave it to it; what browsers of long
 * ago leave out, they keep to themselves where the cookie is `SameSite=Lax`.
 */
export function refuseElsewhere(served: Served, request: Request): void {
  if (!isOwn(request.headers, ownOrigins(served, request)))
    throw forbidden('a request from this console, not from another site')
}

function isOwn(headers: Headers, own: readonly string[]): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return own.includes(origin)
  const site = headers.get('sec-fetch-site')
  // `none` is what a person began, as by a bookmark: no page had a part in it.
  if (site !== null) return site === 'same-origin' || site === 'none'
  const referer = headers.get('referer')
  return referer === null || (URL.canParse(referer) && own.includes(new URL(referer).origin))
}
