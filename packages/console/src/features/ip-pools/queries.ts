import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '#/data/queries.ts'

export type IpPool = OutputOf<'projectIpPoolView'>

/** Pools linked to the silo. */
export const allIpPools = allQuery(op.projectIpPoolList, {})
