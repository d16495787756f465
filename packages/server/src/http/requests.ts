import type { IncomingMessage } from 'node:http'
import type { Origination } from './peer.ts'

/** The same request at the address that the browser asked the proxy for. */
export function asForwarded(request: Request, { isHttps, host }: Origination): Request {
  const url = new URL(request.url)
  const headers = new Headers(request.headers)
  const forwarded = `${isHttps ? 'https' : 'http'}://${host}${url.pathname}${url.search}`
  if (URL.canParse(forwarded)) headers.set('host', host)
  const { method, body, signal } = request
  const address = URL.canParse(forwarded) ? forwarded : url
  // No request can be made with this method; it only has to say so to be refused.
  if (method === 'TRACE')
    return Object.defineProperty(new Request(address, { headers, signal }), 'method', { value: method })
  return new Request(address, { method, headers, body, signal, duplex: 'half' } as RequestInit)
}

/** The upgrade as a web request, or undefined where its address makes none. */
export function upgradeRequest(
  incoming: IncomingMessage,
  from: Origination,
  signal: AbortSignal,
): Request | undefined {
  const url = `${from.isHttps ? 'https' : 'http'}://${from.host}${incoming.url}`
  if (!incoming.url?.startsWith('/') || !URL.canParse(url)) return undefined
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  headers.set('host', from.host)
  return new Request(url, { headers, signal })
}

/** The path of a request's target, or undefined where it has none. */
export function pathOf(target: string): string | undefined {
  const base = 'http://localhost'
  return target.startsWith('/') && URL.canParse(target, base) ? new URL(target, base).pathname : undefined
}
