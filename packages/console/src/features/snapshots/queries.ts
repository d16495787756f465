import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type Snapshot = OutputOf<'snapshotView'>

export const snapshotsIn = (project: string) => listQuery(op.snapshotList, { query: { project } })
export const allSnapshots = (project: string) => allQuery(op.snapshotList, { query: { project } })
export const snapshotView = (project: string, snapshot: string) =>
  opQuery(op.snapshotView, { path: { snapshot }, query: { project } })
