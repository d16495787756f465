import { z } from 'zod'
import { Ip } from '../base/ip.ts'
import { del, family, get, post } from '../op.ts'
import {
  flag,
  identityCreate,
  maybe,
  named,
  NameOrId,
  nameOrIdSorts,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { InVpc, listInVpc, OfVpc, vpcPaging } from './vpc.ts'

export const InternetGateway = named('InternetGateway', withIdentity({ vpc_id: Uuid }))
export type InternetGateway = z.infer<typeof InternetGateway>
export const InternetGatewayCreate = named('InternetGatewayCreate', z.object(identityCreate))
export type InternetGatewayCreate = z.infer<typeof InternetGatewayCreate>

export const InternetGatewayIpPool = named(
  'InternetGatewayIpPool',
  withIdentity({ internet_gateway_id: Uuid, ip_pool_id: Uuid }),
)
export type InternetGatewayIpPool = z.infer<typeof InternetGatewayIpPool>
export const InternetGatewayIpPoolCreate = named(
  'InternetGatewayIpPoolCreate',
  z.object({ ...identityCreate, ip_pool: NameOrId }),
)
export type InternetGatewayIpPoolCreate = z.infer<typeof InternetGatewayIpPoolCreate>

export const InternetGatewayIpAddress = named(
  'InternetGatewayIpAddress',
  withIdentity({ internet_gateway_id: Uuid, address: Ip }),
)
export type InternetGatewayIpAddress = z.infer<typeof InternetGatewayIpAddress>
export const InternetGatewayIpAddressCreate = named(
  'InternetGatewayIpAddressCreate',
  z.object({ ...identityCreate, address: Ip }),
)
export type InternetGatewayIpAddressCreate = z.infer<typeof InternetGatewayIpAddressCreate>

const gatewayPath = z.object({ gateway: NameOrId })
/** Name or id of the attachment, not of the pool. */
const poolPath = z.object({ pool: NameOrId })
const addressPath = z.object({ address: NameOrId })

const InGateway = InVpc.extend({ gateway: maybe(NameOrId) })
const OfGateway = InVpc.extend({ gateway: NameOrId })
const listInGateway = {
  query: vpcPaging.extend({ gateway: maybe(NameOrId) }),
  requiredOnFirstPage: ['gateway'],
  sorts: nameOrIdSorts,
} as const
/** Also deletes dependents, which otherwise block the deletion. */
const cascade = { cascade: flag.optional() }

export const InternetGatewayPage = pageOf('InternetGateway', InternetGateway)

export const internetGatewayOps = {
  ...family('vpcs', ['internet-gateway'], {
    internetGatewayList: get('/v1/internet-gateways', {
      summary: 'List internet gateways of a VPC',
      ...listInVpc,
      returns: InternetGatewayPage,
    }),
    internetGatewayCreate: post('/v1/internet-gateways', {
      summary: 'Create an internet gateway',
      query: OfVpc,
      body: InternetGatewayCreate,
      returns: InternetGateway,
    }),
    internetGatewayView: get('/v1/internet-gateways/{gateway}', {
      revalidates: true,
      summary: 'Fetch an internet gateway',
      path: gatewayPath,
      query: InVpc,
      returns: InternetGateway,
    }),
    internetGatewayDelete: del('/v1/internet-gateways/{gateway}', {
      changes: [
        'internet-gateway',
        'internet-gateway-ip-pool',
        'internet-gateway-ip-address',
        'router-route',
      ],
      summary: 'Delete an internet gateway',
      path: gatewayPath,
      query: InVpc.extend(cascade),
    }),
  }),
  ...family('vpcs', ['internet-gateway-ip-pool'], {
    internetGatewayIpPoolList: get('/v1/internet-gateway-ip-pools', {
      summary: 'List IP pools of an internet gateway',
      ...listInGateway,
      returns: pageOf('InternetGatewayIpPool', InternetGatewayIpPool),
    }),
    internetGatewayIpPoolCreate: post('/v1/internet-gateway-ip-pools', {
      summary: 'Attach an IP pool to an internet gateway',
      query: OfGateway,
      body: InternetGatewayIpPoolCreate,
      returns: InternetGatewayIpPool,
    }),
    internetGatewayIpPoolDelete: del('/v1/internet-gateway-ip-pools/{pool}', {
      summary: 'Detach an IP pool from an internet gateway',
      path: poolPath,
      query: InGateway.extend(cascade),
    }),
  }),
  ...family('vpcs', ['internet-gateway-ip-address'], {
    internetGatewayIpAddressList: get('/v1/internet-gateway-ip-addresses', {
      summary: 'List IP addresses of an internet gateway',
      ...listInGateway,
      returns: pageOf('InternetGatewayIpAddress', InternetGatewayIpAddress),
    }),
    internetGatewayIpAddressCreate: post('/v1/internet-gateway-ip-addresses', {
      summary: 'Attach an IP address to an internet gateway',
      query: OfGateway,
      body: InternetGatewayIpAddressCreate,
      returns: InternetGatewayIpAddress,
    }),
    internetGatewayIpAddressDelete: del('/v1/internet-gateway-ip-addresses/{address}', {
      summary: 'Detach an IP address from an internet gateway',
      path: addressPath,
      query: InGateway.extend(cascade),
    }),
  }),
}
