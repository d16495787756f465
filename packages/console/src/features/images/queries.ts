import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, offeredQuery, opQuery } from '#/data/queries.ts'

export type Image = OutputOf<'imageView'>

export const siloImages = listQuery(op.imageList, {})
export const imagesIn = (project: string) => listQuery(op.imageList, { query: { project } })
/** A role on a project alone does not list them, and an image that is not listed cannot be selected. */
export const allSiloImages = {
  ...offeredQuery(op.imageList, {}),
  select: (images: Image[] | null): Image[] => images ?? [],
}
export const allProjectImages = (project: string) => allQuery(op.imageList, { query: { project } })
export const siloImageView = (image: string) => opQuery(op.imageView, { path: { image } })
export const projectImageView = (project: string, image: string) =>
  opQuery(op.imageView, { path: { image }, query: { project } })
