import { z } from 'zod'
import { family, get } from './op.ts'
import { isIp, ipNetProblem } from './ip.rules.ts'
import {
  identityCreate,
  InProject,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  Uuid,
  withIdentity,
} from './schema.ts'

export const Ip = z.string().refine(isIp, 'invalid IP address syntax')
export const IpNet = named(
  'IpNet',
  z.string().refine((text) => !ipNetProblem(text), 'invalid IP network'),
)

export const NetworkInterface = named(
  'InstanceNetworkInterface',
  withIdentity({
    instance_id: Uuid,
    vpc_id: Uuid,
    subnet_id: Uuid,
    mac: z.string(),
    ip: z.string(),
    primary: z.boolean(),
    transit_ips: z.array(IpNet).default([]),
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
    ip: maybe(Ip),
    transit_ips: z.array(IpNet).default([]),
  }),
)
export type InterfaceCreate = z.infer<typeof InterfaceCreate>

export const networkInterfaceOps = family('instances', ['instance-network-interface'], {
  instanceNetworkInterfaceList: get('/v1/network-interfaces', {
    summary: 'List network interfaces of an instance',
    query: NameOrIdPaging.extend({ instance: maybe(NameOrId), project: maybe(NameOrId) }),
    requiredOnFirstPage: ['instance'],
    sorts: nameOrIdSorts,
    returns: InterfacePage,
  }),
  instanceNetworkInterfaceView: get('/v1/network-interfaces/{interface}', {
    summary: 'Fetch a network interface',
    path: z.object({ interface: NameOrId }),
    query: InProject.extend({ instance: maybe(NameOrId) }),
    returns: NetworkInterface,
  }),
})
