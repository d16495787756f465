import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '#/data/queries.ts'

export type ImageUpload = OutputOf<'imageUploadView'>
export type ImageFormats = OutputOf<'imageFormatsView'>

export const imageUploadsIn = (project: string) => allQuery(op.imageUploadList, { query: { project } })
