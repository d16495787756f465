import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, offeredQuery, opQuery } from '#/data/queries.ts'

export type ExternalSubnet = OutputOf<'externalSubnetView'>

/** Path and query of an external subnet, shared by all its operations. */
export const externalSubnetAt = (project: string, externalSubnet: string) => ({
  path: { externalSubnet },
  query: { project },
})
export const externalSubnetsIn = (project: string) => listQuery(op.externalSubnetList, { query: { project } })
export const externalSubnetView = (project: string, externalSubnet: string) =>
  opQuery(op.externalSubnetView, externalSubnetAt(project, externalSubnet))

/** Pools linked to the silo. Null for a role on a project alone, which gets subnets from the default pool. */
export const allSubnetPools = offeredQuery(op.currentSiloSubnetPoolList, {})
