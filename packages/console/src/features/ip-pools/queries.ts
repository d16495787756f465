import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { offeredQuery } from '#/data/queries.ts'

export type IpPool = OutputOf<'projectIpPoolView'>

/** Pools linked to the silo, which a role on a project alone does not list. */
export const allIpPools = offeredQuery(op.projectIpPoolList, {})
