import { ownPath } from '@gantry/api/base/redirect.rules'

/** A page of this origin that exists in every console: the fallback for an untrusted address. */
export const homePath = '/projects'

/**
 * The path to return to after signing in. Anyone can craft a link to the sign-in page, so the result is always a path
 * on this origin.
 */
export function safeRedirect(wanted: unknown): string {
  const path = typeof wanted === 'string' ? ownPath(wanted) : undefined
  return path === undefined || isSignIn(path) ? homePath : path
}

/** Returning to the sign-in page after signing in would loop. */
const isSignIn = (path: string): boolean => /^\/login(?![^/?#])/.test(path)

/** The sign-in page, with the current page as its return path. */
export function loginPath(returnTo: string): string {
  const safe = safeRedirect(returnTo)
  return safe === homePath ? '/login' : `/login?redirect_uri=${encodeURIComponent(safe)}`
}
