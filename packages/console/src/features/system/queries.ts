import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'

export type SiloUse = OutputOf<'siloUtilizationList'>['items'][number]
export type SystemCapacity = OutputOf<'systemCapacityView'>

export type SystemOverview = OutputOf<'systemOverviewView'>
export type SystemIssue = OutputOf<'systemIssueList'>['items'][number]

export const systemOverview = opQuery(op.systemOverviewView, {})
export const systemIssues = (query: InputOf<'systemIssueList'>['query']) =>
  opQuery(op.systemIssueList, { query })

export const allSiloUse = allQuery(op.siloUtilizationList, {})
export const systemCapacity = opQuery(op.systemCapacityView, {})

export type BuiltInUser = OutputOf<'userBuiltinView'>

export const builtInUsers = listQuery(op.userBuiltinList, {})
export const builtInUser = (user: string) => opQuery(op.userBuiltinView, { path: { user } })

export const builtInUserLink = (user: string) =>
  ({ to: '/system/built-in-users/$user', params: { user } }) satisfies LinkTarget
