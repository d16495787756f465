import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export const siloPolicy = opQuery(op.policyView, {})
export const projectPolicy = (project: string) => opQuery(op.projectPolicyView, { path: { project } })

export const fleetPolicy = opQuery(op.systemPolicyView, {})
/** Names of all members of the fleet's policy, from any silo, and the mappings of silo roles. */
export const fleetAccess = opQuery(op.fleetAccessView, {})
/** Users of all silos who hold a fleet role. */
export const fleetUsers = listQuery(op.fleetUserList, {})

/** All users and groups of the silo: a policy names them by id only. */
export const allUsers = allQuery(op.userList, {})
export const allGroups = allQuery(op.groupList, {})

/** Used without the change stream. */
export const policyPollMs = 60_000
