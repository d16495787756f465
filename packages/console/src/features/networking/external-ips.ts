import type { ExternalIp } from './queries.ts'

type Reachable = Exclude<ExternalIp, { kind: 'snat' }>

/** Addresses at which an instance can be reached, the lasting ones first; a SNAT address only leads out. */
export function reachableIps(ips: readonly ExternalIp[]): Reachable[] {
  const reachable = ips.filter((ip): ip is Reachable => ip.kind !== 'snat')
  return [
    ...reachable.filter(({ kind }) => kind === 'floating'),
    ...reachable.filter(({ kind }) => kind !== 'floating'),
  ]
}
