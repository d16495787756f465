import { z } from 'zod'
import { switchLocations } from './address-lot.rules.ts'
import { bgpPeerStates } from './bgp.rules.ts'
import { family, get } from '../op.ts'
import { named, Timestamp, Uuid } from '../schema.ts'

const FabricLink = named(
  'FabricLink',
  z.object({
    link_name: z.string(),
    state: z.enum(['up', 'coming_up', 'down']),
    /** Why it is not up. */
    reason: z.string().nullable(),
    since: Timestamp,
    speed_gbps: z.number().int(),
    addresses: z.array(z.string()),
  }),
)
export type FabricLink = z.infer<typeof FabricLink>

const FabricPeer = named(
  'FabricPeer',
  z.object({
    link_name: z.string(),
    addr: z.string(),
    /** What tells the session from others of its switch: the address, or the interface of one without. */
    peer_id: z.string(),
    bgp_config: z.object({ id: Uuid, name: z.string() }),
    local_asn: z.number().int(),
    remote_asn: z.number().int(),
    state: z.enum(bgpPeerStates),
    state_duration_millis: z.number().int(),
    /** Why the session is not established. */
    reason: z.string().nullable(),
    exported: z.array(z.string()),
    imported: z.array(z.string()),
  }),
)
export type FabricPeer = z.infer<typeof FabricPeer>

const FabricPort = named(
  'FabricPort',
  z.object({
    id: Uuid,
    port_name: z.string(),
    port_settings: z.object({ id: Uuid, name: z.string() }).nullable(),
    /** At the other end of the cable, as its LLDP announces it. */
    neighbor: z.object({ system_name: z.string(), link_name: z.string() }).nullable(),
    links: z.array(FabricLink),
    peers: z.array(FabricPeer),
  }),
)
export type FabricPort = z.infer<typeof FabricPort>

const Fabric = named(
  'Fabric',
  z.object({
    racks: z.array(
      z.object({
        id: Uuid,
        switches: z.array(
          z.object({
            switch_location: z.enum(switchLocations),
            switch_id: Uuid.nullable(),
            serial: z.string().nullable(),
            ports: z.array(FabricPort),
          }),
        ),
      }),
    ),
  }),
)
export type Fabric = z.infer<typeof Fabric>

export const fabricOps = family(
  'extensions',
  ['rack', 'switch', 'switch-port', 'switch-port-settings', 'bgp-config', 'bgp-announce-set'],
  {
    networkFabricView: get('/ext/v1/system/networking/fabric', {
      summary: 'Fetch racks, switches, ports, links and peers with their state',
      returns: Fabric,
    }),
  },
)
