import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

/** Path and query of a floating IP, shared by all its operations. */
export const floatingIpAt = (project: string, floatingIp: string) => ({
  path: { floatingIp },
  query: { project },
})

const floatingIpsIn = (project: string) => listQuery(op.floatingIpList, { query: { project } })
/** With the URL's filter and order. */
export const foundFloatingIps = (project: string, search: FindSearch) =>
  foundList(floatingIpsIn(project), op.floatingIpSortedList, { project }, search)
export const floatingIpView = (project: string, floatingIp: string) =>
  opQuery(op.floatingIpView, floatingIpAt(project, floatingIp))
/** An id needs no project. */
export const floatingIpById = (id: string) => opQuery(op.floatingIpView, { path: { floatingIp: id } })
