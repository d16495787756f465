import type { Environment } from '../environment.ts'
import { isSecure } from '../kernel/origin.ts'

type Served = Pick<Environment, 'secure'>

/**
 * The name that a cookie of ours has on the wire. Over https it begins with `__Host-`: browsers take such a cookie
 * from this very host only, so neither a page of a sister host nor one without encryption can plant it.
 */
export const cookieName = (served: Served, request: Request, name: string): string =>
  isSecure(served, request) ? `__Host-${name}` : name

/**
 * A cookie of ours that a request brings. Over https the plain name counts only for programs, which know it from the
 * API: browsers say `Sec-Fetch-Site` with each request there, and what they have under that name may be planted.
 */
export function readCookie(served: Served, request: Request, name: string): string | undefined {
  const hosted = cookieNamed(request, cookieName(served, request, name))
  if (hosted !== undefined) return hosted
  return isFromBrowser(request) ? undefined : cookieNamed(request, name)
}

interface Cookie {
  name: string
  value: string
  /** Seconds. */
  maxAge: number
  sameSite?: 'Lax' | 'Strict'
}

/** What sets a cookie for so many seconds; none makes a browser forget it. */
export function setCookie(
  served: Served,
  request: Request,
  { name, value, maxAge, sameSite = 'Lax' }: Cookie,
): string {
  const secure = isSecure(served, request) ? ' Secure;' : ''
  const named = cookieName(served, request, name)
  return `${named}=${value}; Path=/; HttpOnly; SameSite=${sameSite};${secure} Max-Age=${maxAge}`
}

const isFromBrowser = ({ headers }: Request): boolean => headers.has('sec-fetch-site')

/** The first of that name: of several, browsers send the one with the longest path first. */
function cookieNamed({ headers }: Request, wanted: string): string | undefined {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const [name, ...value] = part.trim().split('=')
    if (name === wanted) return value.join('=')
  }
  return undefined
}
