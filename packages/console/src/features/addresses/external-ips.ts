import type { ExternalIp } from './queries.ts'

type Reachable = Exclude<ExternalIp, { kind: 'snat' }>

const order: readonly ExternalIp['kind'][] = ['floating', 'ephemeral', 'snat']

/** The lasting addresses first, and last the one that only leads out. */
export const byKind = (ips: readonly ExternalIp[]): ExternalIp[] =>
  order.flatMap((kind) => ips.filter((ip) => ip.kind === kind))

/** Addresses at which an instance can be reached; a SNAT address only leads out. */
export const reachableIps = (ips: readonly ExternalIp[]): Reachable[] =>
  byKind(ips).filter((ip): ip is Reachable => ip.kind !== 'snat')
