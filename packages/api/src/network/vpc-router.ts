import { z } from 'zod'
import { Ip, IpNet, valued } from '../base/ip.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  maybe,
  Name,
  named,
  NameOrId,
  nameOrIdSorts,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { routeKinds, routerKinds } from './vpc-router.rules.ts'
import { InVpc, listInVpc, OfVpc, vpcPaging } from './vpc.ts'

export const VpcRouter = named('VpcRouter', withIdentity({ vpc_id: Uuid, kind: z.enum(routerKinds) }))
export type VpcRouter = z.infer<typeof VpcRouter>

export const VpcRouterCreate = named('VpcRouterCreate', z.object(identityCreate))
export type VpcRouterCreate = z.infer<typeof VpcRouterCreate>
export const VpcRouterUpdate = named('VpcRouterUpdate', z.object(IdentityUpdate))
export type VpcRouterUpdate = z.infer<typeof VpcRouterUpdate>

export const RouteDestination = named(
  'RouteDestination',
  z.discriminatedUnion('type', [
    valued('ip', Ip),
    valued('ip_net', IpNet),
    valued('vpc', Name),
    valued('subnet', Name),
  ]),
)
export const RouteTarget = named(
  'RouteTarget',
  z.discriminatedUnion('type', [
    valued('ip', Ip),
    valued('vpc', Name),
    valued('subnet', Name),
    valued('instance', Name),
    valued('internet_gateway', Name),
    z.object({ type: z.literal('drop') }),
  ]),
)
export const RouterRoute = named(
  'RouterRoute',
  withIdentity({
    vpc_router_id: Uuid,
    kind: z.enum(routeKinds),
    destination: RouteDestination,
    target: RouteTarget,
  }),
)
export type RouterRoute = z.infer<typeof RouterRoute>

export const RouterRouteCreate = named(
  'RouterRouteCreate',
  z.object({ ...identityCreate, destination: RouteDestination, target: RouteTarget }),
)
export type RouterRouteCreate = z.infer<typeof RouterRouteCreate>
export const RouterRouteUpdate = named(
  'RouterRouteUpdate',
  z.object({ ...IdentityUpdate, destination: RouteDestination, target: RouteTarget }),
)
export type RouterRouteUpdate = z.infer<typeof RouterRouteUpdate>

const routerPath = z.object({ router: NameOrId })
const routePath = z.object({ route: NameOrId })
const InRouter = InVpc.extend({ router: maybe(NameOrId) })

export const VpcRouterPage = pageOf('VpcRouter', VpcRouter)

export const vpcRouterOps = {
  ...family('vpcs', ['vpc-router'], {
    vpcRouterList: get('/v1/vpc-routers', {
      summary: 'List routers of a VPC',
      ...listInVpc,
      returns: VpcRouterPage,
    }),
    vpcRouterCreate: post('/v1/vpc-routers', {
      summary: 'Create a custom router',
      query: OfVpc,
      body: VpcRouterCreate,
      returns: VpcRouter,
    }),
    vpcRouterView: get('/v1/vpc-routers/{router}', {
      revalidates: true,
      summary: 'Fetch a router',
      path: routerPath,
      query: InVpc,
      returns: VpcRouter,
    }),
    vpcRouterUpdate: put('/v1/vpc-routers/{router}', {
      summary: 'Update a router',
      path: routerPath,
      query: InVpc,
      body: VpcRouterUpdate,
      returns: VpcRouter,
    }),
    vpcRouterDelete: del('/v1/vpc-routers/{router}', {
      changes: ['vpc-router', 'router-route', 'vpc-subnet'],
      summary: 'Delete a custom router with its routes',
      path: routerPath,
      query: InVpc,
    }),
  }),
  ...family('vpcs', ['router-route'], {
    vpcRouterRouteList: get('/v1/vpc-router-routes', {
      summary: 'List routes of a router',
      query: vpcPaging.extend({ router: maybe(NameOrId) }),
      requiredOnFirstPage: ['router'],
      sorts: nameOrIdSorts,
      returns: pageOf('RouterRoute', RouterRoute),
    }),
    vpcRouterRouteCreate: post('/v1/vpc-router-routes', {
      summary: 'Add a route to a custom router',
      query: InVpc.extend({ router: NameOrId }),
      body: RouterRouteCreate,
      returns: RouterRoute,
    }),
    vpcRouterRouteView: get('/v1/vpc-router-routes/{route}', {
      revalidates: true,
      summary: 'Fetch a route',
      path: routePath,
      query: InRouter,
      returns: RouterRoute,
    }),
    vpcRouterRouteUpdate: put('/v1/vpc-router-routes/{route}', {
      summary: 'Update a route',
      path: routePath,
      query: InRouter,
      body: RouterRouteUpdate,
      returns: RouterRoute,
    }),
    vpcRouterRouteDelete: del('/v1/vpc-router-routes/{route}', {
      summary: 'Delete a route of a custom router',
      path: routePath,
      query: InRouter,
    }),
  }),
}
