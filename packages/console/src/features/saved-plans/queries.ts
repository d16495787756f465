import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '#/data/queries.ts'

export type SavedPlan = OutputOf<'savedPlanList'>['items'][number]

/** Of a project; without one, those of the silo and the fleet. */
export const savedPlans = (project?: string) =>
  opQuery(op.savedPlanList, { query: project === undefined ? {} : { project } })

export const savedPlanView = (savedPlanId: string) => opQuery(op.savedPlanView, { path: { savedPlanId } })

/** What it would do now. */
export const savedPlanCheck = (savedPlanId: string) => opQuery(op.savedPlanCheck, { path: { savedPlanId } })

export const fourEyesSettings = opQuery(op.fourEyesSettingsView, {})
