import type { Services } from './cx.ts'

type Served = Pick<Services, 'origins' | 'secure'>

/** The origins by which browsers reach this server: those it was told, or the one that the request names. */
export function ownOrigins({ origins, secure }: Served, request: Request): readonly string[] {
  const host = request.headers.get('host') ?? new URL(request.url).host
  return origins.length > 0 ? origins : [`${secure ? 'https' : 'http'}://${host}`]
}

/** The one of them that this request came by; the first where it names another, which anybody can. */
export function ownOrigin(served: Served, request: Request): string {
  const origins = ownOrigins(served, request)
  const host = request.headers.get('host') ?? new URL(request.url).host
  return origins.find((origin) => new URL(origin).host === host) ?? origins[0] ?? ''
}
