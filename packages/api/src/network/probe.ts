import { z } from 'zod'
import { Ipv4Net, Ipv6Net } from '../base/ip.ts'
import { del, family, get, post } from '../op.ts'
import { anyPool, PoolSelector } from './pool-selector.ts'
import { probeStates } from './probe.rules.ts'
import {
  Description,
  identityCreate,
  listInProject,
  Name,
  named,
  NameOrId,
  OfProject,
  pageOf,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { u16, u32, u8 } from '../base/uint.ts'

const Probe = named('Probe', withIdentity({ sled: Uuid }))
export type Probe = z.infer<typeof Probe>

export const ProbeCreate = named(
  'ProbeCreate',
  z.object({ ...identityCreate, sled: Uuid, pool_selector: PoolSelector.default(anyPool) }),
)
export type ProbeCreate = z.infer<typeof ProbeCreate>

const of = <Type extends string>(type: Type) => z.object({ id: Uuid, type: z.literal(type) })
const Ipv4Config = named(
  'PrivateIpv4Config',
  z.object({
    ip: z.string().meta({ format: 'ipv4' }),
    subnet: Ipv4Net,
    transit_ips: z.array(Ipv4Net).default([]),
  }),
)
const Ipv6Config = named(
  'PrivateIpv6Config',
  z.object({ ip: z.string().meta({ format: 'ipv6' }), subnet: Ipv6Net, transit_ips: z.array(Ipv6Net) }),
)
const IpConfig = named(
  'PrivateIpConfig',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('v4'), value: Ipv4Config }),
    z.object({ type: z.literal('v6'), value: Ipv6Config }),
    z.object({ type: z.literal('dual_stack'), value: z.object({ v4: Ipv4Config, v6: Ipv6Config }) }),
  ]),
)
const ProbeInterface = named(
  'NetworkInterface',
  z.object({
    id: Uuid,
    ip_config: IpConfig,
    kind: named(
      'NetworkInterfaceKind',
      z.discriminatedUnion('type', [of('instance'), of('service'), of('probe')]),
    ),
    mac: named('MacAddr', z.string()),
    name: Name,
    primary: z.boolean(),
    slot: u8,
    // Its own instance: the name belongs to this field alone.
    vni: named('Vni', u32.meta({ format: 'uint32' })),
  }),
)
const ProbeExternalIp = named(
  'ProbeExternalIp',
  z.object({
    first_port: u16,
    ip: z.string().meta({ format: 'ip' }),
    kind: named('ProbeExternalIpKind', z.enum(['snat', 'floating', 'ephemeral'])),
    last_port: u16,
  }),
)

const ProbeInfo = named(
  'ProbeInfo',
  z.object({
    external_ips: z.array(ProbeExternalIp),
    id: Uuid,
    interface: ProbeInterface,
    name: Name,
    sled: Uuid,
  }),
)
export type ProbeInfo = z.infer<typeof ProbeInfo>

const ProbeStatus = named(
  'ProbeStatus',
  z.object({
    ...ProbeInfo.shape,
    description: Description,
    sled_serial: z.string(),
    state: named('ProbeState', z.enum(probeStates)),
    time_created: Timestamp,
  }),
)
export type ProbeStatus = z.infer<typeof ProbeStatus>

const path = z.object({ probe: NameOrId })
/** Required also with an id, unlike elsewhere (control plane reference, A 15). */
const query = OfProject
const base = '/experimental/v1/probes'

export const probeOps = {
  ...family('experimental', ['probe'], {
    probeList: get(base, {
      summary: 'List probes of a project',
      ...listInProject,
      returns: pageOf('ProbeInfo', ProbeInfo),
    }),
    probeCreate: post(base, {
      summary: 'Create a probe',
      changes: ['probe', 'instance-network-interface', 'external-ip'],
      query,
      body: ProbeCreate,
      returns: Probe,
    }),
    probeView: get(`${base}/{probe}`, {
      summary: 'Fetch a probe',
      noScreen: { shownBy: 'probeList' },
      path,
      query,
      returns: ProbeInfo,
    }),
    probeDelete: del(`${base}/{probe}`, {
      summary: 'Delete a probe',
      changes: ['probe', 'instance-network-interface', 'external-ip'],
      path,
      query,
    }),
  }),
  ...family('extensions', ['probe'], {
    probeStatusList: get('/ext/v1/probes', {
      summary: 'List probes of a project with their state and sled',
      reads: ['probe', 'fault', 'sled'],
      ...listInProject,
      returns: pageOf('ProbeStatus', ProbeStatus),
    }),
  }),
}
