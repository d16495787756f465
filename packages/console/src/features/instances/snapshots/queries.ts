// @chunk instance-snapshot-rows: of lists and pages of instance snapshots, which few open.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type InstanceSnapshot = OutputOf<'instanceSnapshotView'>
export type RestorePlan = OutputOf<'instanceSnapshotRestorePlan'>

/** Those of a project, or of one of its instances by its id. */
export const instanceSnapshotsIn = (project: string, instance?: string) =>
  allQuery(op.instanceSnapshotList, { query: { project, ...(instance && { instanceId: instance }) } })

/** Those of a project, with the URL's filter and order. */
export const foundInstanceSnapshots = (project: string, search: FindSearch) =>
  foundList(
    listQuery(op.instanceSnapshotList, { path: {}, query: { project } }),
    op.instanceSnapshotList,
    { project },
    search,
  )

export const instanceSnapshotView = (project: string, instanceSnapshot: string) =>
  opQuery(op.instanceSnapshotView, { path: { instanceSnapshot }, query: { project } })

/** An id needs no project. */
export const instanceSnapshotById = (id: string) =>
  opQuery(op.instanceSnapshotView, { path: { instanceSnapshot: id }, query: {} })

/** The snapshots of its disks, of which there are at most as many as an instance has disks. */
export const membersOf = (project: string, id: string) =>
  opQuery(op.snapshotSortedList, { path: {}, query: { project, filter: `partof:${id}`, limit: 100 } })

/** What restoring would do, as of the moment of the question. */
export const restorePlan = (id: string) =>
  opQuery(op.instanceSnapshotRestorePlan, { path: { instanceSnapshot: id } })
