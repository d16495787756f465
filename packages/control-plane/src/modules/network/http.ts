import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'
import { implement } from '../../kernel/implement.ts'
import { need } from '../../kernel/need.ts'
import { listInProject, listPage } from '../../kernel/page.ts'
import {
  attachFloatingIp,
  createFloatingIp,
  deleteFloatingIp,
  detachFloatingIp,
  updateFloatingIp,
} from './floating-ips.ts'
import { attachEphemeral, detachEphemeral } from './instance-ips.ts'
import { createInterface, deleteInterface, updateInterface } from './interface-service.ts'
import { findDefaultPool, needLinkedPool } from './pools.ts'
import { deleteSubnet, deleteVpc } from './service.ts'
import {
  externalIpView,
  firewallRuleView,
  floatingIpView,
  gatewayPoolView,
  gatewayView,
  interfaceView,
  routerView,
  routeView,
  siloIpPoolView,
  subnetView,
  vpcView,
} from './views.ts'

export const networkHttp = implement({
  vpcList: (cx, { query }) => listInProject(cx, 'vpc', query, vpcView),
  vpcView: async (cx, { path, query }) => vpcView((await need(cx, 'vpc', { ...query, ...path }, 'read')).row),
  vpcDelete: (cx, { path, query }) => deleteVpc(cx, { ...query, ...path }),

  vpcSubnetList: (cx, { query }) =>
    listPage(
      cx,
      'vpc_subnet',
      query,
      async (at) => ({ where: { vpc_id: (await need(cx, 'vpc', at, 'list_children')).row.id } }),
      subnetView,
    ),
  vpcSubnetView: async (cx, { path, query }) =>
    subnetView((await need(cx, 'vpc_subnet', { ...query, ...path }, 'read')).row),
  vpcSubnetDelete: (cx, { path, query }) => deleteSubnet(cx, { ...query, ...path }),

  vpcRouterList: (cx, { query }) =>
    listPage(
      cx,
      'vpc_router',
      query,
      async (at) => ({ where: { vpc_id: (await need(cx, 'vpc', at, 'list_children')).row.id } }),
      routerView,
    ),
  vpcRouterView: async (cx, { path, query }) =>
    routerView((await need(cx, 'vpc_router', { ...query, ...path }, 'read')).row),
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
  vpcRouterRouteView: async (cx, { path, query }) =>
    routeView((await need(cx, 'router_route', { ...query, ...path }, 'read')).row),

  vpcFirewallRulesView: async (cx, { query }) => {
    const { row: vpc } = await need(cx, 'vpc', query, 'list_children')
    const rules = await cx.db
      .selectFrom('vpc_firewall_rule')
      .selectAll()
      .where('vpc_id', '=', vpc.id)
      .where('time_deleted', 'is', null)
      .orderBy('name')
      .execute()
    return { rules: rules.map(firewallRuleView) }
  },

  internetGatewayList: (cx, { query }) =>
    listPage(
      cx,
      'internet_gateway',
      query,
      async (at) => ({ where: { vpc_id: (await need(cx, 'vpc', at, 'list_children')).row.id } }),
      gatewayView,
    ),
  internetGatewayView: async (cx, { path, query }) =>
    gatewayView((await need(cx, 'internet_gateway', { ...query, ...path }, 'read')).row),
  internetGatewayIpPoolList: (cx, { query }) =>
    listPage(
      cx,
      'internet_gateway_ip_pool',
      query,
      async (at) => ({
        where: { internet_gateway_id: (await need(cx, 'internet_gateway', at, 'list_children')).row.id },
      }),
      gatewayPoolView,
    ),

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
    externalIpView(await attachEphemeral(cx, { ...query, ...path }, body.pool ?? undefined)),
  instanceEphemeralIpDetach: (cx, { path, query }) => detachEphemeral(cx, { ...query, ...path }),

  projectIpPoolList: async (cx, { query }) => {
    const { silo_id } = cx.user()
    cx.demand('list_children', { class: 'siloIpPool', silo_id })
    const defaultPool = await findDefaultPool(cx.db, silo_id)
    const linked = sql`EXISTS (SELECT 1 FROM ip_pool_silo s WHERE s.ip_pool_id = t.id AND s.silo_id = ${silo_id})`
    return listPage(
      cx,
      'ip_pool',
      query,
      () => ({ where: {}, and: linked }),
      (row) => siloIpPoolView(row, defaultPool),
    )
  },
  projectIpPoolView: async (cx, { path }) => {
    const { silo_id } = cx.user()
    const pool = await needLinkedPool(cx.db, silo_id, path.pool)
    return siloIpPoolView(pool, await findDefaultPool(cx.db, silo_id))
  },
})

const kindOrder = ['floating', 'ephemeral', 'snat']

/** Those that people gave a meaning come first; the reference promises no order. */
async function externalIpsOf(cx: Cx, instance: Row<'instance'>): Promise<Row<'external_ip'>[]> {
  const rows = await cx.db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  return rows.sort((one, other) => kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind))
}
