import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { offeredQuery } from '#/data/queries.ts'

export type IpPool = OutputOf<'projectIpPoolView'>

/**
 * Pools linked to the silo. Null for a role on a project alone, which does not list them but gets addresses from the
 * default pool.
 */
export const allIpPools = offeredQuery(op.projectIpPoolList, {})
