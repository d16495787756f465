import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { eachQuery } from '#/data/each-query.ts'
import type { Fallback } from '#/data/fallback.ts'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'
import type { Offer } from '#/kit/list/use-offered.ts'

export type Vpc = OutputOf<'vpcView'>
export type Subnet = OutputOf<'vpcSubnetView'>
export type NetworkInterface = OutputOf<'vpcSubnetListNetworkInterfaces'>['items'][number]
export type Router = OutputOf<'vpcRouterView'>
export type Route = OutputOf<'vpcRouterRouteView'>
export type Gateway = OutputOf<'internetGatewayView'>
export type GatewayPool = OutputOf<'internetGatewayIpPoolList'>['items'][number]
export type GatewayAddress = OutputOf<'internetGatewayIpAddressList'>['items'][number]

type Parents = readonly { id: string }[] | undefined

/** Path and query of a VPC, shared by all its operations. */
export const vpcAt = (project: string, vpc: string) => ({ path: { vpc }, query: { project } })

const vpcsIn = (project: string) => listQuery(op.vpcList, { query: { project } })
/** With the URL's filter and order. */
export const foundVpcs = (project: string, search: FindSearch) =>
  foundList(vpcsIn(project), op.vpcSortedList, { project }, search)
export const allVpcs = (project: string) => allQuery(op.vpcList, { query: { project } })
/** Those that pickers offer, or of them those that match a filter. */
export const offeredVpcs = (project: string, filter?: string): Offer<'vpcList'> => ({
  plain: op.vpcList,
  sorted: op.vpcSortedList,
  project,
  ...(filter && { filter }),
})
export const vpcView = (project: string, vpc: string) => opQuery(op.vpcView, vpcAt(project, vpc))

/** Whether the network is in force as its records say. */
export const vpcNetwork = (project: string, vpc: string) =>
  opQuery(op.vpcNetworkView, vpcAt(project, vpc), networkUnknown)
const networkUnknown: Fallback<'vpcNetworkView'> = async () => ({ data: { network: null }, etag: undefined })

/** An id needs no project. */
export const vpcById = (id: string) => opQuery(op.vpcView, { path: { vpc: id } })
export const subnetsOf = (vpcId: string) => allQuery(op.vpcSubnetList, { query: { vpc: vpcId } })

/** Lists the contents of a VPC, and addresses one of them. */
const inVpc = (project: string, vpc: string) => ({ query: { project, vpc } })
export const subnetAt = (project: string, vpc: string, subnet: string) => ({
  path: { subnet },
  ...inVpc(project, vpc),
})

/* With the URL's filter and order. */
export const foundSubnets = (project: string, vpc: string, search: FindSearch) =>
  foundList(
    listQuery(op.vpcSubnetList, inVpc(project, vpc)),
    op.vpcSubnetSortedList,
    { project, vpc },
    search,
  )
export const allSubnets = (project: string, vpc: string) => allQuery(op.vpcSubnetList, inVpc(project, vpc))
export const subnetView = (project: string, vpc: string, subnet: string) =>
  opQuery(op.vpcSubnetView, subnetAt(project, vpc, subnet))
export const allRouters = (project: string, vpc: string) => allQuery(op.vpcRouterList, inVpc(project, vpc))

export const foundGateways = (project: string, vpc: string, search: FindSearch) =>
  foundList(
    listQuery(op.internetGatewayList, inVpc(project, vpc)),
    op.internetGatewaySortedList,
    { project, vpc },
    search,
  )
export const allGateways = (project: string, vpc: string) =>
  allQuery(op.internetGatewayList, inVpc(project, vpc))
export const gatewayView = (project: string, vpc: string, gateway: string) =>
  opQuery(op.internetGatewayView, { path: { gateway }, ...inVpc(project, vpc) })

// The API lists these for one parent at a time.
export const routesOf = (routers: Parents) =>
  eachQuery(op.vpcRouterRouteList, routers, (router) => ({ query: { router } }))
export const gatewayPools = (gateways: Parents) =>
  eachQuery(op.internetGatewayIpPoolList, gateways, (gateway) => ({ query: { gateway } }))
export const gatewayAddresses = (gateways: Parents) =>
  eachQuery(op.internetGatewayIpAddressList, gateways, (gateway) => ({ query: { gateway } }))
export const interfacesOf = (subnets: Parents) =>
  eachQuery(op.vpcSubnetListNetworkInterfaces, subnets, (subnet) => ({ path: { subnet }, query: {} }))
