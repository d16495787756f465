import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { monthOf, monthProblem } from '@gantry/api/usage/usage.rules'
import { opQuery } from '#/data/queries.ts'

export type UsageReport = OutputOf<'usageView'>
export type UsageLine = UsageReport['lines'][number]

/** Whose use it is. */
export type UsageScope = { of: 'project'; project: string } | { of: 'silo' } | { of: 'fleet' }

/** The month, and what lines are told apart by: the values of a tag, or the projects of one silo. */
export interface UsageSearch {
  month?: string | undefined
  tag?: string | undefined
  silo?: string | undefined
}

export const monthIn = ({ month = '' }: UsageSearch): string =>
  monthProblem(month) === undefined ? month : monthOf(new Date())

/** Use grows with each second, of which no change tells. */
const pollMs = 60_000

export const usageReport = (scope: UsageScope, search: UsageSearch) => {
  const month = monthIn(search)
  const tag = search.tag ? { tag: search.tag } : {}
  const query =
    scope.of === 'fleet'
      ? opQuery(op.systemUsageView, { query: { month, ...(search.silo && { silo: search.silo }) } })
      : opQuery(op.usageView, {
          query: { month, ...tag, ...(scope.of === 'project' && { project: scope.project }) },
        })
  return { ...query, refetchInterval: pollMs }
}

export const tagKeys = (scope: UsageScope) =>
  opQuery(op.tagKeyList, { query: scope.of === 'project' ? { project: scope.project } : {} })

export const usagePrices = opQuery(op.usagePricesView, {})
