import { z } from 'zod'
import { IpNet } from '../base/ip.ts'
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
const ProbeInterface = named(
  'NetworkInterface',
  z.object({
    id: Uuid,
    ip: z.string().meta({ format: 'ip' }),
    kind: named(
      'NetworkInterfaceKind',
      z.discriminatedUnion('type', [of('instance'), of('service'), of('probe')]),
    ),
    mac: named('MacAddr', z.string()),
    name: Name,
    primary: z.boolean(),
    slot: u8,
    subnet: IpNet,
    transit_ips: z.array(IpNet).default([]),
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
