/**
 * The domain that all silos share: `example.com` of `forge.sys.example.com`, whose first label is the silo. Undefined if
 * the console has another address.
 */
export function silosDomain(host: string): string | undefined {
  const at = host.indexOf('.sys.')
  return at < 0 ? undefined : host.slice(at + '.sys.'.length)
}

/**
 * The address at which users of a silo open the console, as far as the browser knows it: the silo's own if this page was
 * opened at one, or else this one.
 */
export function originHere(
  { hostname, origin }: Pick<Location, 'hostname' | 'origin'>,
  silo: string,
): string {
  const domain = silosDomain(hostname)
  return domain === undefined ? origin : `https://${silo}.sys.${domain}`
}
