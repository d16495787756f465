import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import type { IncomingMessage } from 'node:http'
import type { Origination } from './peer.ts'

/** A request's URL, or undefined if it is not valid. Request objects refuse URLs with a user name or a password. */
export function requestUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.username || url?.password ? undefined : url
}

/** The same request with the URL that the browser sent to the proxy, or undefined if that is not a valid one. */
export function asForwarded(request: Request, { isHttps, host }: Origination): Request | undefined {
  const { pathname, search } = new URL(request.url)
  const address = requestUrl(`${isHttps ? 'https' : 'http'}://${host}${pathname}${search}`)
  if (!address) return undefined
  const headers = new Headers(request.headers)
  headers.set('host', host)
  const { method, body, signal } = request
  // Request objects refuse this method; it must only be reported to be refused.
  if (method === 'TRACE')
    return Object.defineProperty(new Request(address, { headers, signal }), 'method', { value: method })
  return new Request(address, { method, headers, body, signal, duplex: 'half' } as RequestInit)
}

/** A read of the API on behalf of a request for a page. */
export function readFor({ url, headers, signal }: Request, target: string): Request {
  const own = new Headers(headers)
  own.set('accept', 'application/json')
  // The console that reads them expects the shapes of its own version.
  own.set(versionHeader, newestVersionText)
  // It refers to the page.
  own.delete('if-none-match')
  return new Request(new URL(target, url), { headers: own, signal })
}

/** The upgrade as a web request, or undefined if its target is not a valid URL. */
export function upgradeRequest(
  incoming: IncomingMessage,
  from: Origination,
  signal: AbortSignal,
): Request | undefined {
  const url = requestUrl(`${from.isHttps ? 'https' : 'http'}://${from.host}${incoming.url}`)
  if (!incoming.url?.startsWith('/') || !url) return undefined
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  headers.set('host', from.host)
  return new Request(url, { headers, signal })
}

/**
 * The raw path of a request's target, with dot segments unresolved. Backslashes count as slashes, as in every
 * http URL.
 */
export const sentPathOf = (target: string): string =>
  target
    .replaceAll('\\', '/')
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '')

/** The path of a request's target, or undefined if it has none. */
export function pathOf(target: string): string | undefined {
  if (!target.startsWith('/')) return undefined
  try {
    return new URL(target, 'http://localhost').pathname
  } catch {
    return undefined
  }
}
