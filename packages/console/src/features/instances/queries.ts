import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type Instance = OutputOf<'instanceView'>

/** How an instance is named in a call: all that have a path and a project. */
export const instanceAt = (project: string, instance: string) => ({ path: { instance }, query: { project } })

export const instancesIn = (project: string) => listQuery(op.instanceList, { query: { project } })
/** Every instance of a project: for the names of those that other things belong to. */
export const allInstances = (project: string) => allQuery(op.instanceList, { query: { project } })
export const instanceView = (project: string, instance: string) =>
  opQuery(op.instanceView, instanceAt(project, instance))
/** By id, and so without a project. */
export const instanceById = (id: string) => opQuery(op.instanceView, { path: { instance: id } })
/** Everything an instance holds is on one page: it has eight disks and eight interfaces at most. */
export const instanceDisks = (project: string, instance: string) =>
  opQuery(op.instanceDiskList, { path: { instance }, query: { project, limit: 1000 } })
export const instanceInterfaces = (project: string, instance: string) =>
  opQuery(op.instanceNetworkInterfaceList, { query: { project, instance, limit: 1000 } })
export const instanceExternalIps = (project: string, instance: string) =>
  opQuery(op.instanceExternalIpList, instanceAt(project, instance))

/** Everything on the pages of one instance; what a start, a stop or a refresh makes stale. */
export const instanceReads = [
  op.instanceList,
  op.instanceSortedList,
  op.instanceView,
  op.instanceExternalIpList,
  op.instanceNetworkInterfaceList,
  op.instanceDiskList,
] as const
