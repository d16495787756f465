import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, opQuery } from '#/data/queries.ts'

export type FloatingIp = OutputOf<'floatingIpView'>
export type ExternalIp = OutputOf<'instanceExternalIpList'>['items'][number]
export type NetworkInterface = OutputOf<'instanceNetworkInterfaceView'>

export const allFloatingIps = (project: string) => allQuery(op.floatingIpList, { query: { project } })
/** An id needs no project. */
export const interfaceById = (id: string) =>
  opQuery(op.instanceNetworkInterfaceView, { path: { interface: id } })
