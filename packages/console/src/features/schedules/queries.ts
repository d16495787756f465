import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

export type Schedule = OutputOf<'scheduleView'>
export type Run = OutputOf<'scheduleRunList'>['items'][number]

export const scheduleAt = (project: string, schedule: string) => ({ path: { schedule }, query: { project } })

export const schedulesIn = (project: string) => listQuery(op.scheduleList, { query: { project } })
export const scheduleView = (project: string, schedule: string) =>
  opQuery(op.scheduleView, scheduleAt(project, schedule))
export const scheduleRuns = (project: string, schedule: string) =>
  opQuery(op.scheduleRunList, scheduleAt(project, schedule))
export const runItems = (project: string, schedule: string, due: string) =>
  opQuery(op.scheduleRunItemList, { path: { schedule }, query: { project, due } })
