import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../db/database.ts'
import type { NetworkRows } from './model.ts'

/** Everything that affects packets of a VPC, in one query per kind. */
export async function loadNetwork(db: Reader, vpc: Row<'vpc'>): Promise<NetworkRows> {
  const interfaces = await db
    .selectFrom('network_interface')
    .select(['id', 'name', 'instance_id', 'subnet_id', 'mac_int', 'ip', 'is_primary', 'transit_ips'])
    .where('vpc_id', '=', vpc.id)
    .where('instance_id', 'is not', null)
    .where('time_deleted', 'is', null)
    .$narrowType<{ instance_id: string }>()
    .execute()
  const ofInstances = db
    .selectFrom('network_interface as nic')
    .select('nic.instance_id')
    .where('nic.instance_id', 'is not', null)
    .$narrowType<{ instance_id: string }>()
    .where('nic.vpc_id', '=', vpc.id)
    .where('nic.time_deleted', 'is', null)
  const routers = await inVpc(db, 'vpc_router', vpc)
  const gateways = await inVpc(db, 'internet_gateway', vpc)
  const gatewayIds = gateways.map(({ id }) => id)
  return {
    vpc,
    interfaces,
    routers,
    gateways,
    subnets: await inVpc(db, 'vpc_subnet', vpc),
    rules: await inVpc(db, 'vpc_firewall_rule', vpc),
    instances: await db
      .selectFrom('instance')
      .select(['id', 'name', 'hostname'])
      .where('id', 'in', ofInstances)
      .where('time_deleted', 'is', null)
      .execute(),
    externalIps: await db
      .selectFrom('external_ip')
      .select(['kind', 'ip', 'first_port', 'last_port', 'ip_pool_id', 'instance_id'])
      .where('instance_id', 'in', ofInstances)
      .where('time_deleted', 'is', null)
      .execute(),
    routes: await db
      .selectFrom('router_route')
      .select(['id', 'name', 'vpc_router_id', 'destination', 'target'])
      .where(
        'vpc_router_id',
        'in',
        routers.map(({ id }) => id),
      )
      .where('time_deleted', 'is', null)
      .execute(),
    gatewayPools:
      gatewayIds.length === 0
        ? []
        : await db
            .selectFrom('internet_gateway_ip_pool')
            .select(['internet_gateway_id', 'ip_pool_id'])
            .where('internet_gateway_id', 'in', gatewayIds)
            .where('time_deleted', 'is', null)
            .execute(),
    gatewayAddresses:
      gatewayIds.length === 0
        ? []
        : await db
            .selectFrom('internet_gateway_ip_address')
            .select(['internet_gateway_id', 'address'])
            .where('internet_gateway_id', 'in', gatewayIds)
            .where('time_deleted', 'is', null)
            .execute(),
  }
}

type InVpc = 'vpc_subnet' | 'vpc_router' | 'vpc_firewall_rule' | 'internet_gateway'

async function inVpc<Name extends InVpc>(db: Reader, table: Name, vpc: Row<'vpc'>): Promise<Row<Name>[]> {
  // The query builder cannot type a generic table; all of these have a VPC.
  const rows = await db
    .selectFrom(table as 'vpc_subnet')
    .selectAll()
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .execute()
  return rows as unknown as Row<Name>[]
}
