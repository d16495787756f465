import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { Fallback } from '#/data/fallback.ts'
import { allQuery, listQuery, opQuery, readAll } from '#/data/queries.ts'
import { usesPageSize } from '#/kit/page/uses-page.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'
import type { Offer } from '#/kit/list/use-offered.ts'

export type Disk = OutputOf<'diskView'>

const disksIn = (project: string) => listQuery(op.diskList, { query: { project } })
/** With the URL's filter and order. */
export const foundDisks = (project: string, search: FindSearch) =>
  foundList(disksIn(project), op.diskSortedList, { project }, search)
/** All disks of a project, for pickers and taken names. */
export const allDisks = (project: string) => allQuery(op.diskList, { query: { project } })
/** Those that pickers offer, or of them those that match a filter. */
export const offeredDisks = (project: string, filter?: string): Offer<'diskList'> => ({
  plain: op.diskList,
  sorted: op.diskSortedList,
  project,
  ...(filter && { filter }),
})
export const diskView = (project: string, disk: string) =>
  opQuery(op.diskView, { path: { disk }, query: { project } })
/** An id needs no project. */
export const diskById = (id: string) => opQuery(op.diskView, { path: { disk: id } })

/** The disks that were made of a snapshot or an image; without a project, in all projects that the user may see. */
export const disksFrom = (source: 'snapshot' | 'image', id: string, project?: string) =>
  listQuery(
    op.diskSortedList,
    { path: {}, query: { ...(project !== undefined && { project }), filter: `${source}:${id}` } },
    { limit: usesPageSize, fallback: fromAllDisks(source, id, project) },
  )

/** A server without filters tells of one project, and of nothing across projects. */
const fromAllDisks =
  (source: 'snapshot' | 'image', id: string, project?: string): Fallback<'diskSortedList'> =>
  async (_, { signal = new AbortController().signal }) => {
    const disks = project === undefined ? [] : await readAll(op.diskList, { query: { project } }, signal)
    const items = disks.filter((disk) => disk[`${source}Id`] === id)
    return { data: { items }, etag: undefined }
  }
