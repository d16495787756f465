import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { PlannedKind } from '@gantry/api/history/deletion.rules'
import { opQuery } from '#/data/queries.ts'

export type Plan = OutputOf<'deletionPlanView'>
export type Branch = Plan['goes'][number]
export type Blocker = Plan['blockers'][number]
export type Deletion = OutputOf<'deletionList'>['items'][number]

/** Read anew by each visit: it is of the time when it was made. */
export const deletionPlan = (kind: PlannedKind, objectId: string) => ({
  ...opQuery(op.deletionPlanView, { path: { objectId }, query: { kind } }),
  gcTime: 0,
})

export const ownDeletions = opQuery(op.deletionList, {})
