import type { ExternalIp } from './queries.ts'

type Reachable = Exclude<ExternalIp, { kind: 'snat' }>

const order: readonly ExternalIp['kind'][] = ['floating', 'ephemeral', 'snat']

/** Floating IPs first, because they are permanent; SNAT last, because it is outbound only. */
export const byKind = (ips: readonly ExternalIp[]): ExternalIp[] =>
  order.flatMap((kind) => ips.filter((ip) => ip.kind === kind))

/** Addresses at which an instance can be reached. SNAT is outbound only. */
export const reachableIps = (ips: readonly ExternalIp[]): Reachable[] =>
  byKind(ips).filter((ip): ip is Reachable => ip.kind !== 'snat')
