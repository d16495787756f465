import type { Environment } from '../environment.ts'
import { isSecure } from '../context/origin.ts'

type Served = Pick<Environment, 'secure'>

/**
 * A cookie's name on the wire. Over https it gets the prefix `__Host-`: browsers accept such a cookie from
 * this exact host only, so neither a sibling host nor an unencrypted page can plant it.
 */
export const cookieName = (served: Served, request: Request, name: string): string =>
  isSecure(served, request) ? `__Host-${name}` : name

/**
 * Reads one of our cookies. Over https the plain name is accepted only from programs, which know it from the
 * API: browsers send `Sec-Fetch-Site` there, and a plain cookie of theirs may be planted.
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

/** A `Set-Cookie` header; a `maxAge` of 0 makes the browser delete the cookie. */
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

/** The first cookie of that name: browsers send the one with the longest path first. */
function cookieNamed({ headers }: Request, wanted: string): string | undefined {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const [name, ...value] = part.trim().split('=')
    if (name === wanted) return value.join('=')
  }
  return undefined
}
