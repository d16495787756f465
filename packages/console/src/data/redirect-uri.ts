import { ownPath } from '@gantry/api/redirect.rules'

/** A page of this origin that exists in every console, for when a given one is not to be trusted. */
export const homePath = '/projects'

/**
 * The path that a person returns to after signing in. Anyone can write a link to the sign-in page, so the
 * answer is only ever a path on this origin.
 */
export function safeRedirect(wanted: unknown): string {
  const path = typeof wanted === 'string' ? ownPath(wanted) : undefined
  return path === undefined || isSignIn(path) ? homePath : path
}

/** Returning to the sign-in page after signing in would go round in circles. */
const isSignIn = (path: string): boolean => /^\/login(?![^/?#])/.test(path)

/** Where a person without a session goes, with the current page carried along. */
export function loginPath(returnTo: string): string {
  const safe = safeRedirect(returnTo)
  return safe === homePath ? '/login' : `/login?redirect_uri=${encodeURIComponent(safe)}`
}
