import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export const siloPolicy = opQuery(op.policyView, {})
export const projectPolicy = (project: string) => opQuery(op.projectPolicyView, { path: { project } })

export const fleetPolicy = opQuery(op.systemPolicyView, {})
/** The names of everyone in the fleet's policy, from whichever silo, and the mappings of silo roles. */
export const fleetAccess = opQuery(op.fleetAccessView, {})
/** Users of all silos who hold a fleet role. */
export const fleetUsers = listQuery(op.fleetUserList, {})

/** Everybody and every group of the silo: a policy names them by their ids alone. */
export const allUsers = allQuery(op.userList, {})
export const allGroups = allQuery(op.groupList, {})

/** Where the server does not tell of changes by itself. */
export const policyPollMs = 60_000
