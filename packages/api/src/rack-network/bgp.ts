import { z } from 'zod'
import { bgpMaxPaths, bgpPeerStates } from './bgp.rules.ts'
import { switchLocations } from './address-lot.rules.ts'
import { Ip, IpNet, Ipv4Net } from '../base/ip.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  list,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  ours,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { u32, u64 } from '../base/uint.ts'

const SwitchLocation = named('SwitchLocation', z.enum(switchLocations))

const MaxPathConfig = named(
  'MaxPathConfig',
  z.number().int().min(bgpMaxPaths.min).max(bgpMaxPaths.max).meta({ format: 'uint8' }),
)

export const BgpConfig = named(
  'BgpConfig',
  withIdentity({
    asn: u32,
    max_paths: MaxPathConfig,
    vrf: z.string().nullish(),
    bgp_announce_set_id: ours(Uuid.optional()),
  }),
)
export type BgpConfig = z.infer<typeof BgpConfig>
const BgpConfigCreate = named(
  'BgpConfigCreate',
  z.object({
    ...identityCreate,
    asn: u32,
    bgp_announce_set_id: NameOrId,
    max_paths: MaxPathConfig.default(bgpMaxPaths.min),
    vrf: maybe(Name),
  }),
)
export type BgpConfigCreate = z.infer<typeof BgpConfigCreate>
const BgpConfigUpdate = named(
  'BgpConfigUpdate',
  z.object({ ...IdentityUpdate, bgp_announce_set_id: maybe(NameOrId), max_paths: maybe(MaxPathConfig) }),
)
export type BgpConfigUpdate = z.infer<typeof BgpConfigUpdate>

export const BgpAnnounceSet = named('BgpAnnounceSet', withIdentity({}))
export type BgpAnnounceSet = z.infer<typeof BgpAnnounceSet>
const BgpAnnouncementCreate = named(
  'BgpAnnouncementCreate',
  z.object({ address_lot_block: NameOrId, network: IpNet }),
)
const BgpAnnounceSetCreate = named(
  'BgpAnnounceSetCreate',
  z.object({ ...identityCreate, announcement: list(BgpAnnouncementCreate) }),
)
export type BgpAnnounceSetCreate = z.infer<typeof BgpAnnounceSetCreate>
const BgpAnnouncement = named(
  'BgpAnnouncement',
  z.object({ announce_set_id: Uuid, address_lot_block_id: Uuid, network: IpNet }),
)
export type BgpAnnouncement = z.infer<typeof BgpAnnouncement>

const BgpPeerStatus = named(
  'BgpPeerStatus',
  z.object({
    addr: Ip,
    /** Identifies the session on its switch. */
    peer_id: z.string(),
    local_asn: u32,
    remote_asn: u32,
    state: named('BgpPeerState', z.enum(bgpPeerStates)),
    state_duration_millis: u64,
    switch: SwitchLocation,
  }),
)
export type BgpPeerStatus = z.infer<typeof BgpPeerStatus>
const BgpExported = named(
  'BgpExported',
  z.object({ peer_id: z.string(), switch: SwitchLocation, prefix: IpNet }),
)
export type BgpExported = z.infer<typeof BgpExported>
/** As it was before networks had switches. */
const BgpExportedByPeer = named(
  'BgpExportedByPeer',
  z.object({ exports: z.record(z.string(), z.array(Ipv4Net)) }),
)
export type BgpExportedByPeer = z.infer<typeof BgpExportedByPeer>
const BgpImported = named(
  'BgpImported',
  z.object({ prefix: IpNet, nexthop: Ip, id: u32, switch: SwitchLocation }),
)
export type BgpImported = z.infer<typeof BgpImported>
const BgpImportedRouteIpv4 = named(
  'BgpImportedRouteIpv4',
  z.object({
    prefix: Ipv4Net,
    nexthop: z.string().meta({ format: 'ipv4' }),
    id: u32,
    switch: SwitchLocation,
  }),
)
export type BgpImportedRouteIpv4 = z.infer<typeof BgpImportedRouteIpv4>
/** Free-form: whatever the router keeps. */
const BgpMessageHistory = named('BgpMessageHistory', z.unknown())
const AggregateBgpMessageHistory = named(
  'AggregateBgpMessageHistory',
  z.object({
    switch_histories: z.array(
      named(
        'SwitchBgpHistory',
        z.object({ switch: SwitchLocation, history: z.record(z.string(), BgpMessageHistory) }),
      ),
    ),
  }),
)
export type AggregateBgpMessageHistory = z.infer<typeof AggregateBgpMessageHistory>

/** The version that tells sessions of one switch from those of the other. */
const since = 2026021301
const path = z.object({ announce_set: NameOrId })
const ofAsn = z.object({
  asn: z.coerce.number().int().nonnegative().max(4_294_967_295).meta({ format: 'uint32' }),
})
const statusReads = ['switch-port', 'switch-port-settings', 'bgp-config', 'bgp-announce-set'] as const

export const bgpOps = {
  ...family('system/networking', ['bgp-config'], {
    networkingBgpConfigList: get('/v1/system/networking/bgp', {
      summary: 'List BGP configurations',
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('BgpConfig', BgpConfig),
    }),
    networkingBgpConfigCreate: post('/v1/system/networking/bgp', {
      summary: 'Create a BGP configuration',
      body: BgpConfigCreate,
      returns: BgpConfig,
    }),
    networkingBgpConfigUpdate: put('/v1/system/networking/bgp', {
      since: 2026061000,
      summary: 'Update a BGP configuration, whose AS number and VRF stay',
      query: z.object({ name_or_id: NameOrId }),
      body: BgpConfigUpdate,
      returns: BgpConfig,
    }),
    networkingBgpConfigDelete: del('/v1/system/networking/bgp', {
      summary: 'Delete a BGP configuration that no settings use',
      query: z.object({ name_or_id: NameOrId }),
    }),
  }),
  ...family('system/networking', ['bgp-announce-set'], {
    networkingBgpAnnounceSetList: get('/v1/system/networking/bgp-announce-set', {
      summary: 'List BGP announce sets',
      query: NameOrIdPaging,
      returns: z.array(BgpAnnounceSet),
    }),
    networkingBgpAnnounceSetUpdate: put('/v1/system/networking/bgp-announce-set', {
      summary: 'Create a BGP announce set, or replace its announcements',
      body: BgpAnnounceSetCreate,
      returns: BgpAnnounceSet,
    }),
    networkingBgpAnnounceSetDelete: del('/v1/system/networking/bgp-announce-set/{announce_set}', {
      summary: 'Delete a BGP announce set that no configuration uses',
      path,
    }),
    networkingBgpAnnouncementList: get('/v1/system/networking/bgp-announce-set/{announce_set}/announcement', {
      summary: 'List the networks that a BGP announce set announces',
      path,
      returns: z.array(BgpAnnouncement),
    }),
  }),
  ...family('system/networking', statusReads, {
    networkingBgpStatus: get('/v1/system/networking/bgp-status', {
      summary: 'List BGP peers with the state of their sessions',
      returns: z.array(BgpPeerStatus),
    }),
    networkingBgpExported: get('/v1/system/networking/bgp-exported', {
      until: since,
      summary: 'Fetch the networks announced to each BGP peer',
      noScreen: { sentBy: 'programs of former versions; the page sends networkingBgpExportedList' },
      returns: BgpExportedByPeer,
    }),
    networkingBgpExportedList: get('/v1/system/networking/bgp-exported', {
      since,
      laterId: { id: 'networking_bgp_exported', since },
      summary: 'List the networks announced to BGP peers',
      returns: z.array(BgpExported),
    }),
    networkingBgpImported: get('/v1/system/networking/bgp-imported', {
      since,
      summary: 'List the networks learned from BGP peers',
      query: ofAsn,
      returns: z.array(BgpImported),
    }),
    networkingBgpMessageHistory: get('/v1/system/networking/bgp-message-history', {
      summary: 'Fetch the messages exchanged with BGP peers',
      query: ofAsn,
      returns: AggregateBgpMessageHistory,
    }),
    networkingBgpImportedRoutesIpv4: get('/v1/system/networking/bgp-routes-ipv4', {
      until: since,
      noScreen: { sentBy: 'programs of former versions; the page sends networkingBgpImported' },
      summary: 'List the IPv4 networks learned from BGP peers',
      query: ofAsn,
      returns: z.array(BgpImportedRouteIpv4),
    }),
  }),
}
