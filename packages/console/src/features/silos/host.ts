/**
 * The domain that all silos share: `example.com` of `forge.sys.example.com`, whose first label is the silo. Undefined if
 * the console has another address.
 */
export function silosDomain(host: string): string | undefined {
  const at = host.indexOf('.sys.')
  return at < 0 ? undefined : host.slice(at + '.sys.'.length)
}
