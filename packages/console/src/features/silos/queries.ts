import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery, rowsOf } from '#/data/queries.ts'
import { findQuery } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type Silo = OutputOf<'siloView'>
export type Provider = OutputOf<'siloIdentityProviderList'>['items'][number]
export type SiloPool = OutputOf<'siloIpPoolList'>['items'][number]
export type SiloProject = OutputOf<'siloProjectList'>['items'][number]
export type Amounts = OutputOf<'siloUtilizationView'>['allocated']

/** The path of a silo, shared by all its operations. */
export const siloAt = (silo: string) => ({ path: { silo } })

/** The base API lists discoverable silos only. */
const discoverableSilos = rowsOf<'systemSiloList', 'siloList'>(op.siloList, (silo) => silo)
/** With the URL's filter and order, which the base API has not. */
export const foundSilos = (search: FindSearch) =>
  listQuery(op.systemSiloList, { query: findQuery(search) }, { fallback: discoverableSilos })
export const allSilos = allQuery(op.systemSiloList, {}, discoverableSilos)
export const siloView = (silo: string) => opQuery(op.siloView, siloAt(silo))
export const providersOf = (silo: string) => listQuery(op.siloIdentityProviderList, { query: { silo } })
export const projectsOf = (silo: string) => listQuery(op.siloProjectList, { ...siloAt(silo), query: {} })
export const poolsOf = (silo: string) => listQuery(op.siloIpPoolList, { ...siloAt(silo), query: {} })
/** Used to find the default pool, which can be on another page. */
export const allPoolsOf = (silo: string) => allQuery(op.siloIpPoolList, { ...siloAt(silo), query: {} })
export const allPools = allQuery(op.ipPoolList, { query: { assignment: 'silos' } })
export const siloUtilization = (silo: string) => opQuery(op.siloUtilizationView, siloAt(silo))
export const siloQuotas = (silo: string) => opQuery(op.siloQuotasView, siloAt(silo))
