import type { ExternalIp } from '@gantry/api/compute/instance'
import type { FloatingIp } from '@gantry/api/network/floating-ip'
import type { NetworkInterface } from '@gantry/api/network/network-interface'
import type { SiloIpPool } from '@gantry/api/people/silo'
import type {
  InternetGateway,
  InternetGatewayIpAddress,
  InternetGatewayIpPool,
} from '@gantry/api/network/internet-gateway'
import type { Vpc, VpcSubnet } from '@gantry/api/network/vpc'
import type { FirewallRule } from '@gantry/api/network/vpc-firewall'
import type { RouterRoute, VpcRouter } from '@gantry/api/network/vpc-router'
import type { Row } from '@gantry/control-plane/db/tables'
import { resourceView } from '@gantry/control-plane/lookup/views'
import { instanceIdOf } from './interfaces.ts'
import { stackView } from './ip-stack.ts'
import { formatMac } from '../addresses/ip.ts'

export const vpcView = (row: Row<'vpc'>): Vpc =>
  resourceView(row, {
    project_id: row.project_id,
    system_router_id: row.system_router_id,
    ipv6_prefix: row.ipv6_prefix,
    dns_name: row.dns_name,
  })

export const subnetView = (row: Row<'vpc_subnet'>): VpcSubnet =>
  resourceView(row, {
    vpc_id: row.vpc_id,
    ipv4_block: row.ipv4_block,
    ipv6_block: row.ipv6_block,
    custom_router_id: row.custom_router_id,
  })

export const routerView = (row: Row<'vpc_router'>): VpcRouter =>
  resourceView(row, { vpc_id: row.vpc_id, kind: row.kind })

export const routeView = (row: Row<'router_route'>): RouterRoute =>
  resourceView(row, {
    vpc_router_id: row.vpc_router_id,
    kind: row.kind,
    destination: row.destination,
    target: row.target,
  })

export const firewallRuleView = (row: Row<'vpc_firewall_rule'>): FirewallRule =>
  resourceView(row, {
    vpc_id: row.vpc_id,
    status: row.status,
    direction: row.direction,
    targets: row.targets,
    filters: row.filters,
    action: row.action,
    priority: row.priority,
  })

export const gatewayView = (row: Row<'internet_gateway'>): InternetGateway =>
  resourceView(row, { vpc_id: row.vpc_id })

export const gatewayPoolView = (row: Row<'internet_gateway_ip_pool'>): InternetGatewayIpPool =>
  resourceView(row, {
    internet_gateway_id: row.internet_gateway_id,
    ip_pool_id: row.ip_pool_id,
  })

export const gatewayAddressView = (row: Row<'internet_gateway_ip_address'>): InternetGatewayIpAddress =>
  resourceView(row, {
    internet_gateway_id: row.internet_gateway_id,
    address: row.address,
  })

export const interfaceView = (row: Row<'network_interface'>): NetworkInterface =>
  resourceView(row, {
    instance_id: instanceIdOf(row),
    vpc_id: row.vpc_id,
    subnet_id: row.subnet_id,
    mac: formatMac(row.mac_int),
    ip_stack: stackView(row),
    primary: row.is_primary,
  })

export function floatingIpView(row: Row<'external_ip'>): FloatingIp {
  const { name, description, project_id } = row
  if (name === null || description === null || project_id === null)
    throw new Error(`external address ${row.id} is not a floating one`)
  const own = { ip: row.ip, ip_pool_id: row.ip_pool_id, project_id, instance_id: row.instance_id }
  return resourceView({ ...row, name, description }, own)
}

export function externalIpView(row: Row<'external_ip'>): ExternalIp {
  const { kind, ip, ip_pool_id, first_port, last_port } = row
  switch (kind) {
    case 'snat':
      return { kind, ip, ip_pool_id, first_port, last_port }
    case 'ephemeral':
      return { kind, ip, ip_pool_id }
    case 'floating':
      return { kind, ...floatingIpView(row) }
    default:
      throw new Error(kind satisfies never)
  }
}

export const siloIpPoolView = (row: Row<'ip_pool'>, is_default: boolean): SiloIpPool =>
  resourceView(row, {
    is_default,
    ip_version: row.ip_version,
    pool_type: row.pool_type,
  })
