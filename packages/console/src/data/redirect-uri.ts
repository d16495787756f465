/** A page of this origin that exists in every console, for when a given one is not to be trusted. */
export const homePath = '/projects'

/**
 * The path that a person returns to after signing in. Anyone can write a link to the sign-in page, so the
 * answer is only ever a path on this origin: browsers read `//host`, `/\host` and paths broken by control
 * characters as other origins.
 */
export function safeRedirect(wanted: unknown): string {
  if (typeof wanted !== 'string') return homePath
  if (!wanted.startsWith('/') || /^\/[/\\]/.test(wanted)) return homePath
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(wanted)) return homePath
  const here = 'http://gantry.invalid'
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : undefined
  if (url?.origin !== here || url.pathname.startsWith('//')) return homePath
  const path = url.pathname + url.search + url.hash
  return isSignIn(url.pathname) ? homePath : path
}

/** Returning to the sign-in page after signing in would go round in circles. */
const isSignIn = (path: string): boolean => path === '/login' || path.startsWith('/login/')

/** Where a person without a session goes, with the current page carried along. */
export function loginPath(returnTo: string): string {
  const safe = safeRedirect(returnTo)
  return safe === homePath ? '/login' : `/login?redirect_uri=${encodeURIComponent(safe)}`
}
