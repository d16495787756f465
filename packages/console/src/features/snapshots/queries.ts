import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { Fallback } from '#/data/fallback.ts'
import { allQuery, listQuery, opQuery, readAll } from '#/data/queries.ts'
import { usesPageSize } from '#/kit/page/uses-page.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'
import type { Offer } from '#/kit/list/use-offered.ts'

export type Snapshot = OutputOf<'snapshotView'>

const snapshotsIn = (project: string) => listQuery(op.snapshotList, { query: { project } })
/** With the URL's filter and order. */
export const foundSnapshots = (project: string, search: FindSearch) =>
  foundList(snapshotsIn(project), op.snapshotSortedList, { project }, search)
export const allSnapshots = (project: string) => allQuery(op.snapshotList, { query: { project } })
/** Those that pickers offer, or of them those that match a filter. */
export const offeredSnapshots = (project: string, filter?: string): Offer<'snapshotList'> => ({
  plain: op.snapshotList,
  sorted: op.snapshotSortedList,
  project,
  ...(filter && { filter }),
})
export const snapshotView = (project: string, snapshot: string) =>
  opQuery(op.snapshotView, { path: { snapshot }, query: { project } })
/** An id needs no project. */
export const snapshotById = (id: string) => opQuery(op.snapshotView, { path: { snapshot: id } })

/** The snapshots of a disk, newest first. */
export const snapshotsOf = (project: string, disk: string) =>
  listQuery(
    op.snapshotSortedList,
    { path: {}, query: { project, filter: `disk:${disk}`, sortBy: 'time_created_descending' } },
    { limit: usesPageSize, fallback: ofAllSnapshots(project, disk) },
  )

const ofAllSnapshots =
  (project: string, disk: string): Fallback<'snapshotSortedList'> =>
  async (_, { signal = new AbortController().signal }) => {
    const snapshots = await readAll(op.snapshotList, { query: { project } }, signal)
    return { data: { items: snapshots.filter(({ diskId }) => diskId === disk) }, etag: undefined }
  }
