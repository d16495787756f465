import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type Snapshot = OutputOf<'snapshotView'>

const snapshotsIn = (project: string) => listQuery(op.snapshotList, { query: { project } })
/** With the URL's filter and order. */
export const foundSnapshots = (project: string, search: FindSearch) =>
  foundList(snapshotsIn(project), op.snapshotSortedList, { project }, search)
export const allSnapshots = (project: string) => allQuery(op.snapshotList, { query: { project } })
export const snapshotView = (project: string, snapshot: string) =>
  opQuery(op.snapshotView, { path: { snapshot }, query: { project } })
