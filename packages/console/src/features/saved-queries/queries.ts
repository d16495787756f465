import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { watchRules } from '@gantry/api/metrics/metric-query.rules'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type SavedQuery = OutputOf<'metricQueryView'>
export type Threshold = NonNullable<SavedQuery['threshold']>
export type Watch = NonNullable<SavedQuery['watch']>
export type WatchEvent = OutputOf<'metricQueryHistory'>['items'][number]

/** The owner of saved queries: a project, or the fleet if undefined. */
export type Scope = string | undefined

export const inScope = (project: Scope) => ({ query: project === undefined ? {} : { project } })
export const savedQueryAt = (project: Scope, metricQuery: string) => ({
  path: { metricQuery },
  ...inScope(project),
})

export const savedQueries = (project: Scope) => listQuery(op.metricQueryList, inScope(project))
export const allSavedQueries = (project: Scope) => allQuery(op.metricQueryList, inScope(project))
/** Refetched after each evaluation, because an evaluation that leaves the state unchanged sends no event. */
export const savedQueryView = (project: Scope, query: string) => ({
  ...opQuery(op.metricQueryView, savedQueryAt(project, query)),
  refetchInterval: watchRules.everySeconds * 1000,
})
export const savedQueryHistory = (project: Scope, query: string) =>
  opQuery(op.metricQueryHistory, savedQueryAt(project, query))
