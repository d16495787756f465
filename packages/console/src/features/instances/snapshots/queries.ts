import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, opQuery } from '#/data/queries.ts'

export type InstanceSnapshot = OutputOf<'instanceSnapshotView'>
export type RestorePlan = OutputOf<'instanceSnapshotRestorePlan'>

/** Those of a project, or of one of its instances by its id. */
export const instanceSnapshotsIn = (project: string, instance?: string) =>
  allQuery(op.instanceSnapshotList, { query: { project, ...(instance && { instanceId: instance }) } })

/** An id needs no project. */
export const instanceSnapshotById = (id: string) =>
  opQuery(op.instanceSnapshotView, { path: { instanceSnapshot: id }, query: {} })

/** What restoring would do, as of the moment of the question. */
export const restorePlan = (id: string) =>
  opQuery(op.instanceSnapshotRestorePlan, { path: { instanceSnapshot: id } })
