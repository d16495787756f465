import { z } from 'zod'
import { IpNet, Ipv4, Ipv4Net, Ipv6, Ipv6Net, netsOf } from '../base/ip.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  list,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'

const Ipv4Stack = named(
  'PrivateIpv4Stack',
  z.object({ ip: z.string().meta({ format: 'ipv4' }), transit_ips: z.array(Ipv4Net) }),
)
const Ipv6Stack = named(
  'PrivateIpv6Stack',
  z.object({ ip: z.string().meta({ format: 'ipv6' }), transit_ips: z.array(Ipv6Net) }),
)
const IpStack = named(
  'PrivateIpStack',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('v4'), value: Ipv4Stack }),
    z.object({ type: z.literal('v6'), value: Ipv6Stack }),
    z.object({ type: z.literal('dual_stack'), value: z.object({ v4: Ipv4Stack, v6: Ipv6Stack }) }),
  ]),
)

const assigned = (id: string, value: z.ZodString) =>
  named(
    id,
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('auto') }),
      z.object({ type: z.literal('explicit'), value }),
    ]),
  )
const Ipv4StackCreate = named(
  'PrivateIpv4StackCreate',
  z.object({
    ip: assigned('Ipv4Assignment', Ipv4),
    transit_ips: list(netsOf(4)).default([]),
  }),
)
const Ipv6StackCreate = named(
  'PrivateIpv6StackCreate',
  z.object({
    ip: assigned('Ipv6Assignment', Ipv6),
    transit_ips: list(netsOf(6)).default([]),
  }),
)
/** The addresses that an interface shall have. */
const IpStackCreate = named(
  'PrivateIpStackCreate',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('v4'), value: Ipv4StackCreate }),
    z.object({ type: z.literal('v6'), value: Ipv6StackCreate }),
    z.object({
      type: z.literal('dual_stack'),
      value: z.object({ v4: Ipv4StackCreate, v6: Ipv6StackCreate }),
    }),
  ]),
)
export type IpStackCreate = z.infer<typeof IpStackCreate>
/** An address that the platform selects. */
const automatic = { ip: { type: 'auto' }, transit_ips: [] } as const

export const NetworkInterface = named(
  'InstanceNetworkInterface',
  withIdentity({
    instance_id: Uuid,
    vpc_id: Uuid,
    subnet_id: Uuid,
    mac: z.string(),
    ip_stack: IpStack,
    primary: z.boolean(),
  }),
)
export type NetworkInterface = z.infer<typeof NetworkInterface>
export const InterfacePage = pageOf('InstanceNetworkInterface', NetworkInterface)

export const InterfaceCreate = named(
  'InstanceNetworkInterfaceCreate',
  z.object({
    ...identityCreate,
    vpc_name: Name,
    subnet_name: Name,
    /** By default one address of each IP version that the fleet carries. */
    ip_config: IpStackCreate.optional().meta({
      default: { type: 'dual_stack', value: { v4: automatic, v6: automatic } },
    }),
  }),
)
export type InterfaceCreate = z.infer<typeof InterfaceCreate>

/** Absent lists are emptied: callers who change another field send the transit networks along. */
export const InterfaceUpdate = named(
  'InstanceNetworkInterfaceUpdate',
  z.object({
    ...IdentityUpdate,
    primary: z.boolean().default(false),
    transit_ips: list(IpNet).default([]),
  }),
)
export type InterfaceUpdate = z.infer<typeof InterfaceUpdate>

const path = z.object({ interface: NameOrId })
const query = InProject.extend({ instance: maybe(NameOrId) })

export const networkInterfaceOps = family('instances', ['instance-network-interface'], {
  instanceNetworkInterfaceList: get('/v1/network-interfaces', {
    summary: 'List network interfaces of an instance',
    query: NameOrIdPaging.extend({ instance: maybe(NameOrId), project: maybe(NameOrId) }),
    requiredOnFirstPage: ['instance'],
    sorts: nameOrIdSorts,
    returns: InterfacePage,
  }),
  instanceNetworkInterfaceView: get('/v1/network-interfaces/{interface}', {
    revalidates: true,
    summary: 'Fetch a network interface',
    path,
    query,
    returns: NetworkInterface,
  }),
  instanceNetworkInterfaceCreate: post('/v1/network-interfaces', {
    summary: 'Add a network interface to an instance',
    query: InProject.extend({ instance: NameOrId }),
    body: InterfaceCreate,
    returns: NetworkInterface,
  }),
  instanceNetworkInterfaceUpdate: put('/v1/network-interfaces/{interface}', {
    changes: ['instance-network-interface'],
    summary: 'Update a network interface',
    path,
    query,
    body: InterfaceUpdate,
    returns: NetworkInterface,
  }),
  instanceNetworkInterfaceDelete: del('/v1/network-interfaces/{interface}', {
    summary: 'Delete a network interface',
    path,
    query,
  }),
})
