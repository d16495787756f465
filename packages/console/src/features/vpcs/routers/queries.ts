import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

/** Path and query of a router, shared by all its operations. */
export const routerAt = (project: string, vpc: string, router: string) => ({
  path: { router },
  query: { project, vpc },
})
const inRouter = (project: string, vpc: string, router: string) => ({ query: { project, vpc, router } })
export const routeAt = (project: string, vpc: string, router: string, route: string) => ({
  path: { route },
  ...inRouter(project, vpc, router),
})

/** With the URL's filter and order. */
export const foundRouters = (project: string, vpc: string, search: FindSearch) =>
  foundList(
    listQuery(op.vpcRouterList, { query: { project, vpc } }),
    op.vpcRouterSortedList,
    { project, vpc },
    search,
  )
export const routerView = (project: string, vpc: string, router: string) =>
  opQuery(op.vpcRouterView, routerAt(project, vpc, router))

export const routesIn = (project: string, vpc: string, router: string) =>
  listQuery(op.vpcRouterRouteList, inRouter(project, vpc, router))
/** All routes of a router, for taken destinations. */
export const allRoutes = (project: string, vpc: string, router: string) =>
  allQuery(op.vpcRouterRouteList, inRouter(project, vpc, router))
export const routeView = (project: string, vpc: string, router: string, route: string) =>
  opQuery(op.vpcRouterRouteView, routeAt(project, vpc, router, route))
