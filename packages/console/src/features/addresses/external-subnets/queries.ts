import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, offeredQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type ExternalSubnet = OutputOf<'externalSubnetView'>

/** Path and query of an external subnet, shared by all its operations. */
export const externalSubnetAt = (project: string, externalSubnet: string) => ({
  path: { externalSubnet },
  query: { project },
})
const externalSubnetsIn = (project: string) => listQuery(op.externalSubnetList, { query: { project } })
/** With the URL's filter and order. */
export const foundExternalSubnets = (project: string, search: FindSearch) =>
  foundList(externalSubnetsIn(project), op.externalSubnetSortedList, { project }, search)
export const externalSubnetView = (project: string, externalSubnet: string) =>
  opQuery(op.externalSubnetView, externalSubnetAt(project, externalSubnet))

/** An id needs no project. */
export const externalSubnetById = (id: string) =>
  opQuery(op.externalSubnetView, { path: { externalSubnet: id } })

/** Pools linked to the silo. Null for a role on a project alone, which gets subnets from the default pool. */
export const allSubnetPools = offeredQuery(op.currentSiloSubnetPoolList, {})
