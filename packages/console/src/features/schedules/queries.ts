import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'
import { findQuery } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type Schedule = OutputOf<'scheduleView'>
export type Run = OutputOf<'scheduleRunList'>['items'][number]

export const scheduleAt = (project: string, schedule: string) => ({ path: { schedule }, query: { project } })

/** With the URL's filter and order. */
export const foundSchedules = (project: string, search: FindSearch) =>
  listQuery(op.scheduleList, { query: { project, ...findQuery(search) } })
export const scheduleView = (project: string, schedule: string) =>
  opQuery(op.scheduleView, scheduleAt(project, schedule))
export const scheduleRuns = (project: string, schedule: string) =>
  opQuery(op.scheduleRunList, scheduleAt(project, schedule))
export const runItems = (project: string, schedule: string, due: string) =>
  opQuery(op.scheduleRunItemList, { path: { schedule }, query: { project, due } })
