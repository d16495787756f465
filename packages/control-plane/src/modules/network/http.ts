import type { FloatingIp } from '@gantry/api/network/floating-ip'
import type { InternetGateway } from '@gantry/api/network/internet-gateway'
import type { VpcRouter } from '@gantry/api/network/vpc-router'
import type { Vpc, VpcSubnet } from '@gantry/api/network/vpc'
import { ops } from '@gantry/api/registry'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { implement } from '../../pipeline/implement.ts'
import { need, needOwnSilo, type Selectors } from '../../lookup/need.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { listInProject, listPage } from '../../list/page.ts'
import {
  attachFloatingIp,
  createFloatingIp,
  deleteFloatingIp,
  detachFloatingIp,
  updateFloatingIp,
} from './addresses/floating-ips.ts'
import { countRules, replaceFirewall, viewFirewall } from './records/firewall.ts'
import {
  attachAddress,
  attachPool,
  createGateway,
  deleteGateway,
  detachAddress,
  detachPool,
} from './records/gateways.ts'
import { attachEphemeral, detachEphemeral } from './addresses/instance-ips.ts'
import { createInterface, deleteInterface, updateInterface } from './records/interface-service.ts'
import { externalIpProblems } from './addresses/external-ip-problems.ts'
import { viewNetwork } from './in-force/network-state.ts'
import { checkPacket, effectiveRules } from '../packets/packet-check.ts'
import { defaultsOf, listLinkedPools, needLinkedPool } from './addresses/pools.ts'
import { createRouter, deleteRouter, updateRouter } from './records/routers.ts'
import { createRoute, deleteRoute, updateRoute } from './records/routes.ts'
import { createSubnet, deleteSubnet, updateSubnet } from './records/subnets.ts'
import {
  externalIpView,
  floatingIpView,
  gatewayAddressView,
  gatewayPoolView,
  gatewayView,
  interfaceView,
  routerView,
  routeView,
  siloIpPoolView,
  subnetView,
  vpcView,
} from './records/views.ts'
import { createVpcInProject, deleteVpc, updateVpc } from './records/vpcs.ts'

export const networkHttp = implement({
  vpcList: (cx, { query }) => listInProject(cx, 'vpc', query, vpcView),
  vpcSortedList: (cx, { query }) =>
    filteredPage<'vpc', typeof query, Vpc>(cx, ops.vpcSortedList, 'vpc', query, vpcView),
  vpcCreate: async (cx, { query, body }) => vpcView(await createVpcInProject(cx, query, body)),
  vpcView: async (cx, { path, query }) => vpcView((await need(cx, 'vpc', { ...query, ...path }, 'read')).row),
  vpcUpdate: async (cx, { path, query, body }) => vpcView(await updateVpc(cx, { ...query, ...path }, body)),
  vpcDelete: (cx, { path, query }) => deleteVpc(cx, { ...query, ...path }),

  vpcSubnetList: (cx, { query }) => listPage(cx, 'vpc_subnet', query, inVpc(cx), subnetView),
  vpcSubnetSortedList: (cx, { query }) =>
    filteredPage<'vpc_subnet', typeof query, VpcSubnet>(
      cx,
      ops.vpcSubnetSortedList,
      'vpc-subnet',
      query,
      subnetView,
    ),
  vpcSubnetCreate: async (cx, { query, body }) => subnetView(await createSubnet(cx, query, body)),
  vpcSubnetView: async (cx, { path, query }) =>
    subnetView((await need(cx, 'vpc_subnet', { ...query, ...path }, 'read')).row),
  vpcSubnetUpdate: async (cx, { path, query, body }) =>
    subnetView(await updateSubnet(cx, { ...query, ...path }, body)),
  vpcSubnetDelete: (cx, { path, query }) => deleteSubnet(cx, { ...query, ...path }),
  vpcSubnetListNetworkInterfaces: (cx, { path, query }) =>
    listPage(
      cx,
      'network_interface',
      query,
      async (at) => ({
        where: {
          subnet_id: (await need(cx, 'vpc_subnet', { ...at, ...path }, 'list_children')).row.id,
          probe_id: null,
        },
      }),
      interfaceView,
      { namesRepeat: true },
    ),

  vpcRouterList: (cx, { query }) => listPage(cx, 'vpc_router', query, inVpc(cx), routerView),
  vpcRouterSortedList: (cx, { query }) =>
    filteredPage<'vpc_router', typeof query, VpcRouter>(
      cx,
      ops.vpcRouterSortedList,
      'vpc-router',
      query,
      routerView,
    ),
  vpcRouterCreate: async (cx, { query, body }) => routerView(await createRouter(cx, query, body)),
  vpcRouterView: async (cx, { path, query }) =>
    routerView((await need(cx, 'vpc_router', { ...query, ...path }, 'read')).row),
  vpcRouterUpdate: async (cx, { path, query, body }) =>
    routerView(await updateRouter(cx, { ...query, ...path }, body)),
  vpcRouterDelete: (cx, { path, query }) => deleteRouter(cx, { ...query, ...path }),
  vpcRouterRouteList: (cx, { query }) =>
    listPage(
      cx,
      'router_route',
      query,
      async (at) => ({
        where: { vpc_router_id: (await need(cx, 'vpc_router', at, 'list_children')).row.id },
      }),
      routeView,
    ),
  vpcRouterRouteCreate: async (cx, { query, body }) => routeView(await createRoute(cx, query, body)),
  vpcRouterRouteView: async (cx, { path, query }) =>
    routeView((await need(cx, 'router_route', { ...query, ...path }, 'read')).row),
  vpcRouterRouteUpdate: async (cx, { path, query, body }) =>
    routeView(await updateRoute(cx, { ...query, ...path }, body)),
  vpcRouterRouteDelete: (cx, { path, query }) => deleteRoute(cx, { ...query, ...path }),

  vpcFirewallRulesView: (cx, { query }) => viewFirewall(cx, query),
  vpcFirewallRulesUpdate: (cx, { query, body }) => replaceFirewall(cx, query, body.rules),
  vpcFirewallSizeList: (cx, { query }) => countRules(cx, query),

  internetGatewayList: (cx, { query }) => listPage(cx, 'internet_gateway', query, inVpc(cx), gatewayView),
  internetGatewaySortedList: (cx, { query }) =>
    filteredPage<'internet_gateway', typeof query, InternetGateway>(
      cx,
      ops.internetGatewaySortedList,
      'internet-gateway',
      query,
      gatewayView,
    ),
  internetGatewayCreate: async (cx, { query, body }) => gatewayView(await createGateway(cx, query, body)),
  internetGatewayView: async (cx, { path, query }) =>
    gatewayView((await need(cx, 'internet_gateway', { ...query, ...path }, 'read')).row),
  internetGatewayDelete: (cx, { path, query: { cascade, ...at } }) =>
    deleteGateway(cx, { ...at, ...path }, cascade ?? false),
  internetGatewayIpPoolList: (cx, { query }) =>
    listPage(cx, 'internet_gateway_ip_pool', query, (at) => inGateway(cx, at), gatewayPoolView, {
      namesRepeat: true,
    }),
  internetGatewayIpPoolCreate: async (cx, { query, body }) =>
    gatewayPoolView(await attachPool(cx, query, body)),
  internetGatewayIpPoolDelete: (cx, { path, query: { cascade, ...at } }) =>
    detachPool(cx, { ...at, ...path }, cascade ?? false),
  internetGatewayIpAddressList: (cx, { query }) =>
    listPage(cx, 'internet_gateway_ip_address', query, (at) => inGateway(cx, at), gatewayAddressView),
  internetGatewayIpAddressCreate: async (cx, { query, body }) =>
    gatewayAddressView(await attachAddress(cx, query, body)),
  internetGatewayIpAddressDelete: (cx, { path, query: { cascade, ...at } }) =>
    detachAddress(cx, { ...at, ...path }, cascade ?? false),

  instanceNetworkInterfaceList: (cx, { query }) =>
    listPage(
      cx,
      'network_interface',
      query,
      async (at) => ({ where: { instance_id: (await need(cx, 'instance', at, 'list_children')).row.id } }),
      interfaceView,
    ),
  instanceNetworkInterfaceView: async (cx, { path, query }) =>
    interfaceView((await need(cx, 'network_interface', { ...query, ...path }, 'read')).row),
  instanceNetworkInterfaceCreate: async (cx, { query, body }) =>
    interfaceView(await createInterface(cx, query, body)),
  instanceNetworkInterfaceUpdate: async (cx, { path, query, body }) =>
    interfaceView(await updateInterface(cx, { ...query, ...path }, body)),
  instanceNetworkInterfaceDelete: (cx, { path, query }) => deleteInterface(cx, { ...query, ...path }),

  floatingIpList: (cx, { query }) =>
    listPage(
      cx,
      'external_ip',
      query,
      async (at) => ({
        where: {
          kind: 'floating' as const,
          project_id: (await need(cx, 'project', at, 'list_children')).row.id,
        },
      }),
      floatingIpView,
    ),
  floatingIpSortedList: (cx, { query }) =>
    filteredPage<'external_ip', typeof query, FloatingIp>(
      cx,
      ops.floatingIpSortedList,
      'floating-ip',
      query,
      floatingIpView,
    ),
  floatingIpView: async (cx, { path, query }) =>
    floatingIpView((await need(cx, 'external_ip', { ...query, ...path }, 'read')).row),
  floatingIpCreate: async (cx, { query, body }) => floatingIpView(await createFloatingIp(cx, query, body)),
  floatingIpUpdate: async (cx, { path, query, body }) =>
    floatingIpView(await updateFloatingIp(cx, { ...query, ...path }, body)),
  floatingIpDelete: (cx, { path, query }) => deleteFloatingIp(cx, { ...query, ...path }),
  floatingIpAttach: async (cx, { path, query, body }) =>
    floatingIpView(await attachFloatingIp(cx, { ...query, ...path }, body.parent)),
  floatingIpDetach: async (cx, { path, query }) =>
    floatingIpView(await detachFloatingIp(cx, { ...query, ...path })),

  instanceExternalIpList: async (cx, { path, query }) => {
    const { row: instance } = await need(cx, 'instance', { ...query, ...path }, 'read')
    return { items: (await externalIpsOf(cx, instance)).map(externalIpView), next_page: null }
  },
  instanceEphemeralIpAttach: async (cx, { path, query, body }) =>
    externalIpView(await attachEphemeral(cx, { ...query, ...path }, body.pool_selector)),
  instanceEphemeralIpDetach: (cx, { path, query }) => detachEphemeral(cx, { ...query, ...path }),

  instanceFirewallRuleList: (cx, { path, query }) => effectiveRules(cx, { ...query, ...path }),
  instanceExternalIpProblemList: (cx, { path, query }) => externalIpProblems(cx, { ...query, ...path }),
  vpcNetworkView: (cx, { path, query }) => viewNetwork(cx, { ...query, ...path }),
  vpcPacketCheck: (cx, { query, body }) => checkPacket(cx, query, body),

  projectIpPoolList: (cx, { query }) => {
    const { silo_id } = needOwnSilo(cx, 'list_children', 'siloIpPool')
    return listLinkedPools(cx, query, silo_id)
  },
  projectIpPoolView: async (cx, { path }) => {
    const { silo_id } = cx.user()
    const pool = await needLinkedPool(cx.db, silo_id, path.pool)
    return siloIpPoolView(pool, (await defaultsOf(cx.db, silo_id)).has(pool.id))
  },
})

const inVpc = (cx: Cx) => async (at: Selectors) => ({
  where: { vpc_id: (await need(cx, 'vpc', at, 'list_children')).row.id },
})
const inGateway = async (cx: Cx, at: Selectors) => ({
  where: { internet_gateway_id: (await need(cx, 'internet_gateway', at, 'list_children')).row.id },
})

const kindOrder = ['floating', 'ephemeral', 'snat']

/** Addresses that users manage come first; the reference promises no order. */
async function externalIpsOf(cx: Cx, instance: Row<'instance'>): Promise<Row<'external_ip'>[]> {
  const rows = await cx.db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .orderBy('ip_key')
    .execute()
  return rows.sort((one, other) => kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind))
}
