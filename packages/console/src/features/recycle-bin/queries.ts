import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { Loading } from '#/data/loading.ts'
import { type ItemOf, type ListQuery, listQuery, opQuery } from '#/data/queries.ts'
import { loadList } from '#/kit/page/loaders.ts'

export type RecycledItem = ItemOf<'recycleBinList'>
export type RestorePlan = OutputOf<'recycledItemPlan'>
export type BinUse = OutputOf<'recycleBinUseView'>
export type RestorationPlan = OutputOf<'restorationPlan'>

/** The bin of a project; without one, the deleted projects and images of the silo. */
const placeOf = (project: string | undefined) => (project === undefined ? {} : { project })

export const recycledIn = (project?: string): ListQuery<'recycleBinList'> =>
  listQuery(op.recycleBinList, { query: placeOf(project) })

/** What is in the bin of one object. */
export const recycledOf = (object: string, project?: string) =>
  opQuery(op.recycleBinList, { query: { ...placeOf(project), object } })

/** Of everything that one deletion took, the first. */
export const takenBy = (deletion: string, project: string | undefined) =>
  opQuery(op.recycleBinList, { query: { ...placeOf(project), deletion, limit: shownOfDeletion } })
export const shownOfDeletion = 100

export const restorationPlan = (deletionId: string) => opQuery(op.restorationPlan, { path: { deletionId } })

export const binUse = (project?: string) => opQuery(op.recycleBinUseView, { query: placeOf(project) })

export const restorePlan = (itemId: string) => opQuery(op.recycledItemPlan, { path: { itemId } })

interface Visit {
  context: Loading
  location: { search: Record<string, unknown> }
}

export const loadBin = (visit: Visit, project?: string): Promise<void> =>
  loadList(visit, recycledIn(project), binUse(project))
