import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../db/database.ts'
import type { NetworkRows } from './model.ts'

/** Everything that affects packets of a VPC: its rules, and all else in one query. */
export async function loadNetwork(db: Reader, vpc: Row<'vpc'>): Promise<NetworkRows> {
  const rules = await db
    .selectFrom('vpc_firewall_rule')
    .selectAll()
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .execute()
  const interfaces = db
    .selectFrom('network_interface')
    .where('vpc_id', '=', vpc.id)
    .where('instance_id', 'is not', null)
    .where('time_deleted', 'is', null)
  const routers = db.selectFrom('vpc_router').where('vpc_id', '=', vpc.id).where('time_deleted', 'is', null)
  const gateways = db
    .selectFrom('internet_gateway')
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
  const found = await db
    .selectNoFrom([
      jsonArrayFrom(routers.select(['id', 'name', 'kind'])).as('routers'),
      jsonArrayFrom(gateways.select(['id', 'name'])).as('gateways'),
      jsonArrayFrom(
        interfaces
          .select([
            'id',
            'name',
            'instance_id',
            'subnet_id',
            'mac_int',
            'ip',
            'ipv6',
            'is_primary',
            'transit_ips',
          ])
          .$narrowType<{ instance_id: string }>(),
      ).as('interfaces'),
      jsonArrayFrom(
        db
          .selectFrom('vpc_subnet')
          .select(['id', 'name', 'ipv4_block', 'ipv6_block', 'custom_router_id'])
          .where('vpc_id', '=', vpc.id)
          .where('time_deleted', 'is', null),
      ).as('subnets'),
      jsonArrayFrom(
        db
          .selectFrom('instance')
          .select(['id', 'name', 'hostname'])
          .where('id', 'in', interfaces.select('instance_id').$narrowType<{ instance_id: string }>())
          .where('time_deleted', 'is', null),
      ).as('instances'),
      jsonArrayFrom(
        db
          .selectFrom('external_ip')
          .select(['kind', 'ip', 'first_port', 'last_port', 'ip_pool_id', 'instance_id'])
          .where('instance_id', 'in', interfaces.select('instance_id'))
          .where('time_deleted', 'is', null),
      ).as('externalIps'),
      jsonArrayFrom(
        db
          .selectFrom('external_subnet')
          .select(['subnet', 'instance_id'])
          .where('instance_id', 'in', interfaces.select('instance_id'))
          .where('time_deleted', 'is', null),
      ).as('externalSubnets'),
      jsonArrayFrom(
        db
          .selectFrom('router_route')
          .select(['id', 'name', 'vpc_router_id', 'destination', 'target'])
          .where('vpc_router_id', 'in', routers.select('id'))
          .where('time_deleted', 'is', null),
      ).as('routes'),
      jsonArrayFrom(
        db
          .selectFrom('internet_gateway_ip_pool')
          .select(['internet_gateway_id', 'ip_pool_id'])
          .where('internet_gateway_id', 'in', gateways.select('id'))
          .where('time_deleted', 'is', null),
      ).as('gatewayPools'),
      jsonArrayFrom(
        db
          .selectFrom('internet_gateway_ip_address')
          .select(['internet_gateway_id', 'address'])
          .where('internet_gateway_id', 'in', gateways.select('id'))
          .where('time_deleted', 'is', null),
      ).as('gatewayAddresses'),
    ])
    .executeTakeFirstOrThrow()
  return { vpc, rules, ...found }
}
