import { z } from 'zod'
import { Ip, IpNet } from '../base/ip.ts'
import { del, family, get, post } from '../op.ts'
import {
  identityCreate,
  list,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  ours,
  pageOf,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { routerLifetimeMax } from './bgp.rules.ts'
import { linkFecs, linkSpeeds, portGeometries } from './switch-port.rules.ts'
import { u16, u32, u8 } from '../base/uint.ts'

const Geometry = named('SwitchPortGeometry', z.enum(portGeometries))
const Fec = named('LinkFec', z.enum(linkFecs))
const Speed = named('LinkSpeed', z.enum(linkSpeeds))

/** Texts that the switch announces to its neighbours; the protocol carries at most 255 octets each. */
const lldpText = text(255)
const lldpFields = {
  enabled: z.boolean(),
  link_name: maybe(lldpText),
  link_description: maybe(lldpText),
  chassis_id: maybe(lldpText),
  system_name: maybe(lldpText),
  system_description: maybe(lldpText),
  management_ip: maybe(Ip),
}
const LldpLinkConfigCreate = named('LldpLinkConfigCreate', z.object(lldpFields))
export const LldpLinkConfig = named('LldpLinkConfig', z.object({ id: Uuid, ...lldpFields }))
export type LldpLinkConfig = z.infer<typeof LldpLinkConfig>

const tap = maybe(z.number().int().min(-2_147_483_648).max(2_147_483_647).meta({ format: 'int32' }))
const TxEqConfig = named('TxEqConfig', z.object({ pre1: tap, pre2: tap, main: tap, post1: tap, post2: tap }))

const ImportExportPolicy = named(
  'ImportExportPolicy',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('no_filtering') }),
    z.object({ type: z.literal('allow'), value: list(IpNet) }),
  ]),
)
export type ImportExportPolicy = z.infer<typeof ImportExportPolicy>

const RouterLifetimeConfig = named(
  'RouterLifetimeConfig',
  z.number().int().min(0).max(routerLifetimeMax).meta({ format: 'uint16' }),
)
/** Whom a session is with: an address, or whichever router is at the other end of the link. */
const RouterPeerType = named(
  'RouterPeerType',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('unnumbered'), router_lifetime: RouterLifetimeConfig }),
    z.object({ type: z.literal('numbered'), target_addr: Ip, src_addr: maybe(Ip) }),
  ]),
)
export type RouterPeerType = z.infer<typeof RouterPeerType>

/** Longer than a key may be, so that the refusal is the API's. */
const keyText = text(1024)
export const BgpPeer = named(
  'BgpPeer',
  z.object({
    bgp_config: NameOrId,
    /** Ours: answers tell the link, which requests name for all peers of it. */
    interface_name: ours(Name.optional()),
    addr: RouterPeerType,
    hold_time: u32,
    idle_hold_time: u32,
    delay_open: u32,
    connect_retry: u32,
    keepalive: u32,
    remote_asn: maybe(u32),
    min_ttl: maybe(u8),
    /** Never returned: absent keeps the stored key of the same peer, null removes it. */
    md5_auth_key: maybe(keyText),
    has_md5_auth_key: ours(z.boolean().optional()),
    multi_exit_discriminator: maybe(u32),
    communities: list(u32, 64),
    local_pref: maybe(u32),
    enforce_first_as: z.boolean(),
    allowed_import: ImportExportPolicy,
    allowed_export: ImportExportPolicy,
    vlan_id: maybe(u16),
  }),
)
export type BgpPeer = z.infer<typeof BgpPeer>

const LinkConfigCreate = named(
  'LinkConfigCreate',
  z.object({
    link_name: Name,
    mtu: u16,
    fec: maybe(Fec),
    speed: Speed,
    autoneg: z.boolean(),
    lldp: LldpLinkConfigCreate,
    tx_eq: maybe(TxEqConfig),
  }),
)
const SwitchInterfaceKind = named(
  'SwitchInterfaceKind',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('primary') }),
    z.object({ type: z.literal('vlan'), vid: u16 }),
    z.object({ type: z.literal('loopback') }),
  ]),
)
const SwitchInterfaceConfigCreate = named(
  'SwitchInterfaceConfigCreate',
  z.object({ link_name: Name, v6_enabled: z.boolean(), kind: SwitchInterfaceKind }),
)
const Route = named('Route', z.object({ dst: IpNet, gw: Ip, vid: maybe(u16), rib_priority: maybe(u8) }))
const Address = named('Address', z.object({ address_lot: NameOrId, address: IpNet, vlan_id: maybe(u16) }))

const perLink = <Item extends z.ZodType, Key extends string>(id: string, key: Key, item: Item) =>
  list(
    named(
      id,
      z.object({ link_name: Name, [key]: list(item) } as Record<Key, z.ZodArray<Item>> & {
        link_name: typeof Name
      }),
    ),
    16,
  )

export const SwitchPortSettingsCreate = named(
  'SwitchPortSettingsCreate',
  z.object({
    ...identityCreate,
    port_config: named('SwitchPortConfigCreate', z.object({ geometry: Geometry })),
    groups: list(NameOrId, 16).default([]),
    links: list(LinkConfigCreate, 16),
    interfaces: list(SwitchInterfaceConfigCreate, 64).default([]),
    routes: perLink('RouteConfig', 'routes', Route).default([]),
    bgp_peers: perLink('BgpPeerConfig', 'peers', BgpPeer).default([]),
    addresses: perLink('AddressConfig', 'addresses', Address),
  }),
)
export type SwitchPortSettingsCreate = z.infer<typeof SwitchPortSettingsCreate>

export const SwitchPortSettingsIdentity = named('SwitchPortSettingsIdentity', withIdentity({}))
export type SwitchPortSettingsIdentity = z.infer<typeof SwitchPortSettingsIdentity>

const ofSettings = { port_settings_id: Uuid }
const SwitchPortSettings = named(
  'SwitchPortSettings',
  withIdentity({
    groups: z.array(
      named('SwitchPortSettingsGroups', z.object({ ...ofSettings, port_settings_group_id: Uuid })),
    ),
    port: named('SwitchPortConfig', z.object({ ...ofSettings, geometry: Geometry })),
    links: z.array(
      named(
        'SwitchPortLinkConfig',
        z.object({
          ...ofSettings,
          link_name: Name,
          mtu: u16,
          fec: Fec.nullish(),
          speed: Speed,
          autoneg: z.boolean(),
          lldp_link_config: LldpLinkConfig.nullish(),
          tx_eq_config: TxEqConfig.nullish(),
        }),
      ),
    ),
    interfaces: z.array(
      named(
        'SwitchInterfaceConfig',
        z.object({
          ...ofSettings,
          id: Uuid,
          interface_name: Name,
          v6_enabled: z.boolean(),
          kind: SwitchInterfaceKind,
        }),
      ),
    ),
    routes: z.array(
      named(
        'SwitchPortRouteConfig',
        z.object({
          ...ofSettings,
          interface_name: Name,
          dst: IpNet,
          gw: Ip,
          vlan_id: u16.nullish(),
          rib_priority: u8.nullish(),
        }),
      ),
    ),
    bgp_peers: z.array(BgpPeer),
    addresses: z.array(
      named(
        'SwitchPortAddressView',
        z.object({
          ...ofSettings,
          interface_name: Name,
          address: IpNet,
          address_lot_id: Uuid,
          address_lot_name: Name,
          address_lot_block_id: Uuid,
          vlan_id: u16.nullish(),
        }),
      ),
    ),
  }),
)
export type SwitchPortSettings = z.infer<typeof SwitchPortSettings>

export const switchPortSettingsOps = family('system/networking', ['switch-port-settings'], {
  networkingSwitchPortSettingsList: get('/v1/system/networking/switch-port-settings', {
    summary: 'List switch port settings',
    query: NameOrIdPaging.extend({ port_settings: maybe(NameOrId) }),
    sorts: nameOrIdSorts,
    returns: pageOf('SwitchPortSettingsIdentity', SwitchPortSettingsIdentity),
  }),
  networkingSwitchPortSettingsCreate: post('/v1/system/networking/switch-port-settings', {
    changes: ['switch-port-settings', 'switch-port', 'network-trial'],
    summary: 'Create switch port settings, or replace those of the same name',
    body: SwitchPortSettingsCreate,
    returns: SwitchPortSettings,
  }),
  networkingSwitchPortSettingsDelete: del('/v1/system/networking/switch-port-settings', {
    changes: ['switch-port-settings', 'network-trial'],
    summary: 'Delete switch port settings that no port uses',
    query: z.object({ port_settings: maybe(NameOrId) }),
  }),
  networkingSwitchPortSettingsView: get('/v1/system/networking/switch-port-settings/{port}', {
    summary: 'Fetch switch port settings with all their parts',
    path: z.object({ port: NameOrId }),
    returns: SwitchPortSettings,
  }),
})
