/** By their first label silos are told apart: `forge.sys.example.com`. Undefined where the console is at another address. */
export function silosDomain(host: string): string | undefined {
  const at = host.indexOf('.sys.')
  return at < 0 ? undefined : host.slice(at + '.sys.'.length)
}
