import { isIpv4 } from '@gantry/api/base/ip.rules'
import { peerAddressProblem } from '@gantry/api/rack-network/peer-address.rules'
import { md5KeyProblem } from '@gantry/api/rack-network/switch-port.rules'
import type {
  BgpPeer,
  LldpLinkConfig,
  RouterPeerType,
  SwitchPortSettings,
  SwitchPortSettingsCreate,
  SwitchPortSettingsIdentity,
} from '@gantry/api/rack-network/switch-port-settings'
import { sql } from 'kysely'
import type { Row, StoredPeer } from '../../db/tables.ts'
import { retryWhenExists } from '../../change/retry.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet } from '../../lookup/need.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { conflict, invalid, invalidValue, Refusal } from '../../context/refusal.ts'
import { sealUserSecret } from '../../context/seal-user-secret.ts'
import { resourceView } from '../../lookup/views.ts'
import { release } from './reservations.ts'
import {
  insertSettings,
  lockNamed,
  portsWith,
  lockReferred,
  type PreparedSettings,
  replaceSettings,
} from './settings-contents.ts'
import { endTrials } from './trial-store.ts'

export type Settings = Row<'switch_port_settings'>
type Parts = Omit<SwitchPortSettings, keyof SwitchPortSettingsIdentity>
type Link = Parts['links'][number]

const identityView = (row: Settings): SwitchPortSettingsIdentity => resourceView(row, {})

/** Responses have every optional field, with null for no value (control plane reference, A 22). */
const withNulls = <View extends object>(view: View, ...optional: (keyof View)[]): View => ({
  ...view,
  ...Object.fromEntries(optional.map((field) => [field, view[field] ?? null])),
})

const peerView = ({ md5_key_id, addr, src_addr, router_lifetime, ...peer }: StoredPeer): BgpPeer => ({
  ...withNulls(
    { ...peer, addr: typeOf({ addr, src_addr, router_lifetime }) },
    'remote_asn',
    'min_ttl',
    'multi_exit_discriminator',
    'local_pref',
    'vlan_id',
  ),
  // A client that sends null removes the key, so a peer with a key has no such field.
  ...(md5_key_id === null && { md5_auth_key: null }),
  has_md5_auth_key: md5_key_id !== null,
})

const typeOf = ({ addr, src_addr, router_lifetime }: Ends): RouterPeerType =>
  addr === null
    ? { type: 'unnumbered', router_lifetime: router_lifetime ?? 0 }
    : { type: 'numbered', target_addr: addr, src_addr: src_addr ?? null }
interface Ends {
  addr: string | null
  src_addr: string | undefined
  router_lifetime: number | undefined
}

export const lldpView = (config: LldpLinkConfig): LldpLinkConfig =>
  withNulls(
    config,
    'link_name',
    'link_description',
    'chassis_id',
    'system_name',
    'system_description',
    'management_ip',
  )

const linkView = (link: Link): Link => ({
  ...withNulls(link, 'fec'),
  lldp_link_config: link.lldp_link_config ? lldpView(link.lldp_link_config) : null,
  tx_eq_config: link.tx_eq_config
    ? withNulls(link.tx_eq_config, 'pre1', 'pre2', 'main', 'post1', 'post2')
    : null,
})

export const settingsView = (row: Settings): SwitchPortSettings => {
  const { links, routes, bgp_peers, interfaces, vlan_interfaces, ...contents } = row.contents
  const vlans = new Map(
    vlan_interfaces.map(({ interface_config_id, vlan_id }) => [interface_config_id, vlan_id]),
  )
  const parts: Parts = {
    ...contents,
    links: links.map(linkView),
    interfaces: interfaces.map(({ kind, ...each }) => ({
      ...each,
      kind: kind === 'vlan' ? { type: kind, vid: vlans.get(each.id) ?? 0 } : { type: kind },
    })),
    routes: routes.map((route) => withNulls(route, 'vlan_id', 'rib_priority')),
    bgp_peers: bgp_peers.map(peerView),
  }
  return resourceView<SwitchPortSettings>(row, parts)
}

/** The reference accepts a name or id in the query, and ignores it. */
export const listSettings = (cx: Cx, { port_settings: _ignored, ...query }: ListQuery) => {
  needFleet(cx, 'list_children')
  return listAll(cx, 'switch_port_settings', query, identityView)
}

export async function viewSettings(cx: Cx, port: string): Promise<SwitchPortSettings> {
  needFleet(cx, 'read')
  return settingsView((await need(cx, 'switch_port_settings', { port_settings: port }, 'read')).row)
}

/** Finds what the settings refer to, and seals their keys. */
export async function prepareSettings(cx: Cx, body: SwitchPortSettingsCreate): Promise<PreparedSettings> {
  if (body.groups.length > 0) throw invalid('port settings group not found', 'Leave out the groups.')
  const peers = body.bgp_peers.flatMap((link) => link.peers)
  for (const { md5_auth_key } of peers) {
    const problem = md5_auth_key && md5KeyProblem(md5_auth_key)
    if (problem) throw invalidValue('md5_auth_key', problem)
  }
  for (const { addr } of peers) checkEnds(addr)
  for (const { link_name, peers: ofLink } of body.bgp_peers)
    if (ofLink.filter(({ addr }) => addr.type === 'unnumbered').length > 1)
      throw invalid(
        `the link ${link_name} has several BGP peers without an address`,
        'Keep one: it is whichever router answers on the link.',
      )
  const lots = new Map<string, Row<'address_lot'>>()
  for (const { address_lot } of body.addresses.flatMap((link) => link.addresses))
    if (!lots.has(address_lot)) lots.set(address_lot, await findLot(cx, address_lot))
  const configs = new Map<string, Row<'bgp_config'>>()
  for (const { bgp_config } of peers)
    if (!configs.has(bgp_config)) configs.set(bgp_config, await findConfig(cx, bgp_config))
  const keys = new Map<BgpPeer, string>()
  for (const peer of peers)
    if (peer.md5_auth_key) keys.set(peer, await sealUserSecret(cx, 'md5_auth_key', peer.md5_auth_key))
  return { body, lots, configs, keys }
}

function checkEnds(addr: RouterPeerType): void {
  if (addr.type === 'unnumbered') return
  const { target_addr, src_addr } = addr
  const problem = peerAddressProblem(target_addr)
  if (problem) throw invalidValue('target_addr', problem)
  if (!src_addr) return
  const own = peerAddressProblem(src_addr)
  if (own) throw invalidValue('src_addr', own)
  if (isIpv4(src_addr) !== isIpv4(target_addr))
    throw invalidValue('src_addr', 'Both ends of a session have addresses of one version')
}

const findLot = (cx: Cx, address_lot: string): Promise<Row<'address_lot'>> =>
  orInvalid(
    need(cx, 'address_lot', { address_lot }, 'read'),
    'AddressLot not found',
    `There is no address lot ${address_lot}.`,
  )

const findConfig = (cx: Cx, bgp_config: string): Promise<Row<'bgp_config'>> =>
  orInvalid(
    need(cx, 'bgp_config', { bgp_config }, 'read'),
    'BGP config not found',
    `There is no BGP configuration ${bgp_config}.`,
  )

/** In the reference, an unknown object is a bad request here. */
const orInvalid = <Found>(found: Promise<{ row: Found }>, message: string, help: string): Promise<Found> =>
  found.then(
    ({ row }) => row,
    (error: unknown) => {
      throw error instanceof Refusal && error.code === 'ObjectNotFound' ? invalid(message, help) : error
    },
  )

/** Creates settings, or replaces those of the same name, which keep their id (control plane reference, A 17.5). */
export async function createSettings(cx: Cx, body: SwitchPortSettingsCreate): Promise<SwitchPortSettings> {
  needFleet(cx, 'modify')
  const prepared = await prepareSettings(cx, body)
  return change(cx, fleetScope, async (tx) => {
    await lockReferred(tx, prepared)
    const existing = await lockNamed(tx, body.name)
    if (!existing) return settingsView(await retryWhenExists(insertSettings(tx, prepared)))
    await endTrials(tx, existing.id, 'superseded')
    return settingsView(await replaceSettings(tx, existing, prepared, []))
  })
}

export async function deleteSettings(cx: Cx, port_settings: string | null | undefined): Promise<void> {
  needFleet(cx, 'modify')
  if (!port_settings) throw invalid('name or id required', 'Name the settings by port_settings.')
  const row = await orInvalid(
    need(cx, 'switch_port_settings', { port_settings }, 'modify'),
    'port settings not found',
    `There are no switch port settings ${port_settings}.`,
  )
  await change(cx, fleetScope, async (tx) => {
    const settings = await tx.lock('switch_port_settings', row)
    const [port] = await portsWith(tx.read, settings.id)
    if (port)
      throw conflict(
        'port settings are in use',
        `Clear the settings of ${port.switch_location} ${port.port_name} first.`,
      )
    const returning = await portOnTrialFrom(tx, settings.id)
    if (returning)
      throw conflict(
        'port settings are in use',
        `${returning} gets them back if its change reverts. Confirm or revert that change first.`,
      )
    await endTrials(tx, settings.id, 'superseded')
    await release(tx, settings.id)
    await tx.plain.deleteFrom('bgp_peer_key').where('port_settings_id', '=', settings.id).execute()
    await tx.remove('switch_port_settings', settings)
  })
}

/** The port that has the settings again once a running trial reverts. */
async function portOnTrialFrom(tx: Change, settingsId: string): Promise<string | undefined> {
  const port = await tx.read
    .selectFrom('network_trial as t')
    .innerJoin('switch_port as p', 'p.id', 't.subject_id')
    .select(['p.switch_location', 'p.port_name'])
    .where('t.state', '=', 'running')
    .where(sql<boolean>`t.before = to_jsonb(${settingsId}::text)`)
    .limit(1)
    .executeTakeFirst()
  return port && `${port.switch_location} ${port.port_name}`
}
