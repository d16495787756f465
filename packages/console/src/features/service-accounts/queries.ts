import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

export type ServiceAccount = OutputOf<'serviceAccountView'>

/** In a project, or without one in the silo itself. */
export const inScope = (project: string | undefined) => (project === undefined ? {} : { query: { project } })

export const accountAt = (project: string | undefined, serviceAccount: string) => ({
  path: { serviceAccount },
  ...inScope(project),
})

export const accountsIn = (project: string | undefined) => listQuery(op.serviceAccountList, inScope(project))
export const accountView = (project: string | undefined, account: string) =>
  opQuery(op.serviceAccountView, accountAt(project, account))
export const accountTokens = (project: string | undefined, account: string) =>
  opQuery(op.serviceAccountTokenList, accountAt(project, account))
