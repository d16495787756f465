import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { usesPageSize } from '#/kit/page/uses-page.ts'
import type { Offer } from '#/kit/list/use-offered.ts'

export type Instance = OutputOf<'instanceView'>

/** Path and query of an instance, shared by all its operations. */
export const instanceAt = (project: string, instance: string) => ({ path: { instance }, query: { project } })

export const instancesIn = (project: string) => listQuery(op.instanceList, { query: { project } })
/** All instances of a project, for their names elsewhere. */
export const allInstances = (project: string) => allQuery(op.instanceList, { query: { project } })
/** Those that pickers offer, or of them those that match a filter. */
export const offeredInstances = (project: string, filter?: string): Offer<'instanceList'> => ({
  plain: op.instanceList,
  sorted: op.instanceSortedList,
  project,
  ...(filter && { filter }),
})
export const instanceView = (project: string, instance: string) =>
  opQuery(op.instanceView, instanceAt(project, instance))
/** An id needs no project. */
export const instanceById = (id: string) => opQuery(op.instanceView, { path: { instance: id } })
export const instanceHardware = (project: string, instance: string) =>
  opQuery(op.instanceHardwareView, instanceAt(project, instance))
/** One page suffices: an instance has at most eight disks and eight interfaces. */
export const instanceDisks = (project: string, instance: string) =>
  opQuery(op.instanceDiskList, { path: { instance }, query: { project, limit: 1000 } })
export const instanceInterfaces = (project: string, instance: string) =>
  opQuery(op.instanceNetworkInterfaceList, { query: { project, instance, limit: 1000 } })
export const instanceExternalIps = (project: string, instance: string) =>
  opQuery(op.instanceExternalIpList, instanceAt(project, instance))

/** Everything on an instance's pages, which a start, stop or refresh makes stale. */
export const instanceReads = [
  op.instanceHardwareView,
  op.instanceList,
  op.instanceSortedList,
  op.instanceView,
  op.instanceExternalIpList,
  op.instanceNetworkInterfaceList,
  op.instanceDiskList,
] as const

/** The instances that boot from an image; without a project, in all that the user may see. */
export const instancesFrom = (image: string, project?: string) =>
  listQuery(
    op.instanceSortedList,
    { path: {}, query: { ...(project !== undefined && { project }), filter: `image:${image}` } },
    { limit: usesPageSize },
  )
