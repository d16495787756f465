/**
 * A path on this origin, as it is to be used, or undefined for whatever leads or could be read to lead elsewhere:
 * browsers take `//host`, `/\host` and paths broken by control characters for other origins.
 */
export function ownPath(wanted: string): string | undefined {
  if (!wanted.startsWith('/') || /^\/[/\\]/.test(wanted)) return undefined
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(wanted)) return undefined
  const here = 'http://gantry.invalid'
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : undefined
  // Steps back (`/..//host`) are only seen once they are taken.
  if (url?.origin !== here || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
