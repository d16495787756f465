import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '../../data/queries.ts'

export type Image = OutputOf<'imageView'>

export const allSiloImages = allQuery(op.imageList, {})
export const allProjectImages = (project: string) => allQuery(op.imageList, { query: { project } })
