import * as op from '@gantry/api/client/operations.gen'
import { allQuery, opQuery } from '../../data/queries.ts'

export const siloPolicy = opQuery(op.policyView, {})
export const projectPolicy = (project: string) => opQuery(op.projectPolicyView, { path: { project } })

/** Everybody and every group of the silo: a policy names them by their ids alone. */
export const allUsers = allQuery(op.userList, {})
export const allGroups = allQuery(op.groupList, {})

export const accessPaths = {
  silo: '/access',
  project: (project: string): string => `/projects/${project}/access`,
}

/** Where the server does not tell of changes by itself. */
export const policyPollMs = 60_000
