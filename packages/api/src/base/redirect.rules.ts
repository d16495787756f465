/**
 * A path on this origin in usable form, or undefined for anything that leads elsewhere or could be read so:
 * browsers treat `//host`, `/\host` and paths broken by control characters as other origins.
 */
export function ownPath(wanted: string): string | undefined {
  if (!wanted.startsWith('/') || /^\/[/\\]/.test(wanted)) return undefined
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(wanted)) return undefined
  const here = 'http://gantry.invalid'
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : undefined
  // Parent segments (`/..//host`) only show their effect once resolved.
  if (url?.origin !== here || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
