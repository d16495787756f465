import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { Fallback } from '#/data/fallback.ts'
import { allQuery, opQuery } from '#/data/queries.ts'

export type FloatingIp = OutputOf<'floatingIpView'>
export type ExternalIp = OutputOf<'instanceExternalIpList'>['items'][number]
export type NetworkInterface = OutputOf<'instanceNetworkInterfaceView'>

export const allFloatingIps = (project: string) => allQuery(op.floatingIpList, { query: { project } })
/** An id needs no project. */
export const interfaceById = (id: string) =>
  opQuery(op.instanceNetworkInterfaceView, { path: { interface: id } })

type Reachable = Exclude<ExternalIp, { kind: 'snat' }>

const order: readonly ExternalIp['kind'][] = ['floating', 'ephemeral', 'snat']

/** Floating IPs first, because they are permanent; SNAT last, because it is outbound only. */
export const byKind = (ips: readonly ExternalIp[]): ExternalIp[] =>
  order.flatMap((kind) => ips.filter((ip) => ip.kind === kind))

/** Addresses at which an instance can be reached. SNAT is outbound only. */
export const reachableIps = (ips: readonly ExternalIp[]): Reachable[] =>
  byKind(ips).filter((ip): ip is Reachable => ip.kind !== 'snat')

/** External addresses of an instance that do not work, with the reasons. */
export const instanceAddressProblems = (project: string, instance: string) =>
  opQuery(op.instanceExternalIpProblemList, { path: { instance }, query: { project } }, problemsUnknown)
const problemsUnknown: Fallback<'instanceExternalIpProblemList'> = async () => ({
  data: { items: [] },
  etag: undefined,
})
