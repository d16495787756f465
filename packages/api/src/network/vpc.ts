import { z } from 'zod'
import { Ipv4Net, Ipv6Net } from '../base/ip.ts'
import { InterfacePage } from './network-interface.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  listInProject,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  OfProject,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'

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

export const VpcCreate = named(
  'VpcCreate',
  z.object({ ...identityCreate, dns_name: Name, ipv6_prefix: maybe(Ipv6Net) }),
)
export type VpcCreate = z.infer<typeof VpcCreate>
export const VpcUpdate = named('VpcUpdate', z.object({ ...IdentityUpdate, dns_name: maybe(Name) }))
export type VpcUpdate = z.infer<typeof VpcUpdate>

export const VpcSubnetCreate = named(
  'VpcSubnetCreate',
  z.object({
    ...identityCreate,
    ipv4_block: Ipv4Net,
    ipv6_block: maybe(Ipv6Net),
    custom_router: maybe(NameOrId),
  }),
)
export type VpcSubnetCreate = z.infer<typeof VpcSubnetCreate>
/** Omitting the custom router detaches the current one: callers who change another field send it along. */
export const VpcSubnetUpdate = named(
  'VpcSubnetUpdate',
  z.object({ ...IdentityUpdate, custom_router: maybe(NameOrId) }),
)
export type VpcSubnetUpdate = z.infer<typeof VpcSubnetUpdate>

/** Selectors for children of a VPC, and those for creation, where the VPC must be named. */
export const InVpc = z.object({ vpc: maybe(NameOrId), project: maybe(NameOrId) })
export const OfVpc = InVpc.extend({ vpc: NameOrId })
export const vpcPaging = NameOrIdPaging.extend(InVpc.shape)
export const listInVpc = {
  query: vpcPaging,
  requiredOnFirstPage: ['vpc'],
  sorts: nameOrIdSorts,
} as const

const vpcPath = z.object({ vpc: NameOrId })
const subnetPath = z.object({ subnet: NameOrId })

export const VpcPage = pageOf('Vpc', Vpc)
export const VpcSubnetPage = pageOf('VpcSubnet', VpcSubnet)

export const vpcOps = {
  ...family('vpcs', ['vpc'], {
    vpcList: get('/v1/vpcs', {
      summary: 'List VPCs of a project',
      ...listInProject,
      returns: VpcPage,
    }),
    vpcCreate: post('/v1/vpcs', {
      changes: [
        'vpc',
        'vpc-router',
        'router-route',
        'vpc-subnet',
        'vpc-firewall-rule',
        'internet-gateway',
        'internet-gateway-ip-pool',
      ],
      summary: 'Create a VPC',
      query: OfProject,
      body: VpcCreate,
      returns: Vpc,
    }),
    vpcView: get('/v1/vpcs/{vpc}', {
      revalidates: true,
      summary: 'Fetch a VPC',
      path: vpcPath,
      query: InProject,
      returns: Vpc,
    }),
    vpcUpdate: put('/v1/vpcs/{vpc}', {
      summary: 'Update a VPC',
      path: vpcPath,
      query: InProject,
      body: VpcUpdate,
      returns: Vpc,
    }),
    vpcDelete: del('/v1/vpcs/{vpc}', {
      changes: [
        'vpc',
        'vpc-router',
        'router-route',
        'vpc-firewall-rule',
        'internet-gateway',
        'internet-gateway-ip-pool',
        'internet-gateway-ip-address',
      ],
      summary: 'Delete a VPC without subnets',
      path: vpcPath,
      query: InProject,
    }),
  }),
  ...family('vpcs', ['vpc-subnet'], {
    vpcSubnetList: get('/v1/vpc-subnets', {
      summary: 'List subnets of a VPC',
      ...listInVpc,
      returns: VpcSubnetPage,
    }),
    vpcSubnetCreate: post('/v1/vpc-subnets', {
      changes: ['vpc-subnet', 'router-route'],
      summary: 'Create a subnet',
      query: OfVpc,
      body: VpcSubnetCreate,
      returns: VpcSubnet,
    }),
    vpcSubnetView: get('/v1/vpc-subnets/{subnet}', {
      revalidates: true,
      summary: 'Fetch a subnet',
      path: subnetPath,
      query: InVpc,
      returns: VpcSubnet,
    }),
    vpcSubnetUpdate: put('/v1/vpc-subnets/{subnet}', {
      changes: ['vpc-subnet', 'router-route'],
      summary: 'Update a subnet',
      path: subnetPath,
      query: InVpc,
      body: VpcSubnetUpdate,
      returns: VpcSubnet,
    }),
    vpcSubnetDelete: del('/v1/vpc-subnets/{subnet}', {
      changes: ['vpc-subnet', 'router-route'],
      summary: 'Delete a subnet without interfaces',
      path: subnetPath,
      query: InVpc,
    }),
    vpcSubnetListNetworkInterfaces: get('/v1/vpc-subnets/{subnet}/network-interfaces', {
      summary: 'List network interfaces in a subnet',
      path: subnetPath,
      query: vpcPaging,
      sorts: nameOrIdSorts,
      returns: InterfacePage,
      reads: ['instance-network-interface'],
    }),
  }),
}
