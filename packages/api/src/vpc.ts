import { z } from 'zod'
import { IpNet, Ip } from './network-interface.ts'
import { del, family, get } from './op.ts'
import {
  listInProject,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  Timestamp,
  Uuid,
  withIdentity,
} from './schema.ts'

export const Vpc = named(
  'Vpc',
  withIdentity({ project_id: Uuid, system_router_id: Uuid, ipv6_prefix: z.string(), dns_name: Name }),
)
export type Vpc = z.infer<typeof Vpc>

export const VpcSubnet = named(
  'VpcSubnet',
  withIdentity({
    vpc_id: Uuid,
    ipv4_block: z.string(),
    ipv6_block: z.string(),
    custom_router_id: Uuid.nullish(),
  }),
)
export type VpcSubnet = z.infer<typeof VpcSubnet>

export const VpcRouter = named(
  'VpcRouter',
  withIdentity({ vpc_id: Uuid, kind: z.enum(['system', 'custom']) }),
)
export type VpcRouter = z.infer<typeof VpcRouter>

const valued = <T extends string, S extends z.ZodType>(type: T, value: S) =>
  z.object({ type: z.literal(type), value })
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
    kind: z.enum(['default', 'vpc_subnet', 'vpc_peering', 'custom']),
    destination: RouteDestination,
    target: RouteTarget,
  }),
)
export type RouterRoute = z.infer<typeof RouterRoute>

const FirewallHost = z.discriminatedUnion('type', [
  valued('vpc', Name),
  valued('subnet', Name),
  valued('instance', Name),
  valued('ip', Ip),
  valued('ip_net', IpNet),
])
export const FirewallTarget = named('VpcFirewallRuleTarget', FirewallHost)
export const FirewallProtocol = named(
  'VpcFirewallRuleProtocol',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('tcp') }),
    z.object({ type: z.literal('udp') }),
    z.object({
      type: z.literal('icmp'),
      value: z.object({ icmp_type: z.number().int().min(0).max(255), code: z.string().nullish() }).nullable(),
    }),
  ]),
)
export const FirewallFilter = named(
  'VpcFirewallRuleFilter',
  z.object({
    hosts: z.array(FirewallHost).nullish(),
    ports: z.array(z.string()).nullish(),
    protocols: z.array(FirewallProtocol).nullish(),
  }),
)
export const FirewallRule = named(
  'VpcFirewallRule',
  withIdentity({
    vpc_id: Uuid,
    status: z.enum(['enabled', 'disabled']),
    direction: z.enum(['inbound', 'outbound']),
    targets: z.array(FirewallTarget),
    filters: FirewallFilter,
    action: z.enum(['allow', 'deny']),
    priority: z.number().int().min(0).max(65_535),
  }),
)
export type FirewallRule = z.infer<typeof FirewallRule>

export const InternetGateway = named('InternetGateway', withIdentity({ vpc_id: Uuid }))
export type InternetGateway = z.infer<typeof InternetGateway>
export const InternetGatewayIpPool = named(
  'InternetGatewayIpPool',
  z.object({
    id: Uuid,
    name: Name,
    description: z.string(),
    time_created: Timestamp,
    time_modified: Timestamp,
    internet_gateway_id: Uuid,
    ip_pool_id: Uuid,
  }),
)
export type InternetGatewayIpPool = z.infer<typeof InternetGatewayIpPool>

const InVpc = z.object({ vpc: maybe(NameOrId), project: maybe(NameOrId) })
const vpcPaging = NameOrIdPaging.extend(InVpc.shape)
const inVpc = { requiredOnFirstPage: ['vpc'], sorts: nameOrIdSorts } as const

export const vpcOps = {
  ...family('vpcs', ['vpc'], {
    vpcList: get('/v1/vpcs', {
      summary: 'List VPCs of a project',
      ...listInProject,
      returns: pageOf('Vpc', Vpc),
    }),
    vpcView: get('/v1/vpcs/{vpc}', {
      summary: 'Fetch a VPC',
      path: z.object({ vpc: NameOrId }),
      query: z.object({ project: maybe(NameOrId) }),
      returns: Vpc,
    }),
    vpcDelete: del('/v1/vpcs/{vpc}', {
      summary: 'Delete a VPC without subnets',
      path: z.object({ vpc: NameOrId }),
      query: z.object({ project: maybe(NameOrId) }),
    }),
  }),
  ...family('vpcs', ['vpc-subnet'], {
    vpcSubnetList: get('/v1/vpc-subnets', {
      summary: 'List subnets of a VPC',
      query: vpcPaging,
      ...inVpc,
      returns: pageOf('VpcSubnet', VpcSubnet),
    }),
    vpcSubnetView: get('/v1/vpc-subnets/{subnet}', {
      summary: 'Fetch a subnet',
      path: z.object({ subnet: NameOrId }),
      query: InVpc,
      returns: VpcSubnet,
    }),
    vpcSubnetDelete: del('/v1/vpc-subnets/{subnet}', {
      summary: 'Delete a subnet without interfaces',
      path: z.object({ subnet: NameOrId }),
      query: InVpc,
    }),
  }),
  ...family('vpcs', ['vpc-router'], {
    vpcRouterList: get('/v1/vpc-routers', {
      summary: 'List routers of a VPC',
      query: vpcPaging,
      ...inVpc,
      returns: pageOf('VpcRouter', VpcRouter),
    }),
    vpcRouterView: get('/v1/vpc-routers/{router}', {
      summary: 'Fetch a router',
      path: z.object({ router: NameOrId }),
      query: InVpc,
      returns: VpcRouter,
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
    vpcRouterRouteView: get('/v1/vpc-router-routes/{route}', {
      summary: 'Fetch a route',
      path: z.object({ route: NameOrId }),
      query: InVpc.extend({ router: maybe(NameOrId) }),
      returns: RouterRoute,
    }),
  }),
  ...family('vpcs', ['vpc-firewall-rule'], {
    vpcFirewallRulesView: get('/v1/vpc-firewall-rules', {
      summary: 'Fetch the firewall rules of a VPC',
      query: z.object({ vpc: NameOrId, project: maybe(NameOrId) }),
      returns: named('VpcFirewallRules', z.object({ rules: z.array(FirewallRule) })),
    }),
  }),
  ...family('vpcs', ['internet-gateway', 'internet-gateway-ip-pool'], {
    internetGatewayList: get('/v1/internet-gateways', {
      summary: 'List internet gateways of a VPC',
      query: vpcPaging,
      ...inVpc,
      returns: pageOf('InternetGateway', InternetGateway),
    }),
    internetGatewayView: get('/v1/internet-gateways/{gateway}', {
      summary: 'Fetch an internet gateway',
      path: z.object({ gateway: NameOrId }),
      query: InVpc,
      returns: InternetGateway,
    }),
    internetGatewayIpPoolList: get('/v1/internet-gateway-ip-pools', {
      summary: 'List IP pools of an internet gateway',
      query: vpcPaging.extend({ gateway: maybe(NameOrId) }),
      requiredOnFirstPage: ['gateway'],
      sorts: nameOrIdSorts,
      returns: pageOf('InternetGatewayIpPool', InternetGatewayIpPool),
    }),
  }),
}
