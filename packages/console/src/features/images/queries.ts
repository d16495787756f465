import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, offeredQuery, opQuery } from '#/data/queries.ts'
import { usesPageSize } from '#/kit/page/uses-page.ts'
import { foundList, type ListPlace } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'
import type { Offer } from '#/kit/list/use-offered.ts'

export type Image = OutputOf<'imageView'>

const siloImages = listQuery(op.imageList, {})
const imagesIn = (project: string) => listQuery(op.imageList, { query: { project } })
/** The place of the silo's own images. */
export const ofSilo = { siloOnly: true } as const
/** With the URL's filter and order. */
export const foundImages = (place: ListPlace, search: FindSearch) =>
  foundList(
    place.project === undefined ? siloImages : imagesIn(place.project),
    op.imageSortedList,
    place,
    search,
  )
/** A role on a project alone does not list them, and an image that is not listed cannot be selected. */
export const allSiloImages = {
  ...offeredQuery(op.imageList, {}),
  select: (images: Image[] | null): Image[] => images ?? [],
}
export const allProjectImages = (project: string) => allQuery(op.imageList, { query: { project } })
/** Those of a project that pickers offer. */
export const offeredImages = (project: string): Offer<'imageList'> => ({
  plain: op.imageList,
  sorted: op.imageSortedList,
  project,
})
export const siloImageView = (image: string) => opQuery(op.imageView, { path: { image } })
export const projectImageView = (project: string, image: string) =>
  opQuery(op.imageView, { path: { image }, query: { project } })
/** An id needs no project. */
export const imageById = (id: string) => opQuery(op.imageView, { path: { image: id } })
/** The images of a project that were made of a snapshot. */
export const imagesFrom = (project: string, snapshot: string) =>
  listQuery(
    op.imageSortedList,
    { path: {}, query: { project, filter: `snapshot:${snapshot}` } },
    { limit: usesPageSize },
  )
