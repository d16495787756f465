import * as op from '@gantry/api/client/operations.gen'
import type { Fallback } from '#/data/fallback.ts'
import { allQuery, type ItemOf } from '#/data/queries.ts'

export type Protection = ItemOf<'protectionList'>

export const noProtections: Fallback<'protectionList'> = async () => ({
  data: { items: [] },
  etag: undefined,
})

/** What is protected in a project; without one, the projects and images of the silo. */
export const protectionsIn = (project?: string) =>
  allQuery(op.protectionList, { query: project === undefined ? {} : { project } }, noProtections)
