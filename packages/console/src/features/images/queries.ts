import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { packedFormats } from '@gantry/api/image-format.rules'
import type { Fallback } from '#/data/fallback.ts'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type Image = OutputOf<'imageView'>

export type ImageUpload = OutputOf<'imageUploadView'>

export type ImageFormats = OutputOf<'imageFormatsView'>

export const imageUploadsIn = (project: string) => allQuery(op.imageUploadList, { query: { project } })
export const siloImages = listQuery(op.imageList, {})
export const imagesIn = (project: string) => listQuery(op.imageList, { query: { project } })
export const allSiloImages = allQuery(op.imageList, {})
export const allProjectImages = (project: string) => allQuery(op.imageList, { query: { project } })
export const siloImageView = (image: string) => opQuery(op.imageView, { path: { image } })
export const projectImageView = (project: string, image: string) =>
  opQuery(op.imageView, { path: { image }, query: { project } })

/** A server of the reference API keeps the bytes of every image. */
const noneConverted: Fallback<'imageFormatsView'> = async () => ({
  data: {
    formats: packedFormats.map((format) => ({ format, whyNot: 'This server does not convert images' })),
    maxSize: 0,
  },
  etag: undefined,
})
export const imageFormatsHere = opQuery(op.imageFormatsView, {}, noneConverted)
