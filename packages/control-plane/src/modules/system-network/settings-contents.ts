import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { parseIpNet } from '@gantry/api/base/ip.rules'
import type {
  BgpPeer,
  RouterPeerType,
  SwitchPortSettingsCreate,
} from '@gantry/api/rack-network/switch-port-settings'
import type { Reader } from '../../db/database.ts'
import type { PortSettingsContents, Row, StoredPeer } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'
import { invalid } from '../../context/refusal.ts'
import { reserve } from './reservations.ts'

type Settings = Row<'switch_port_settings'>
type StoredAddress = PortSettingsContents['addresses'][number]

/** Everything that a request refers to, found before the change begins. */
export interface PreparedSettings {
  body: SwitchPortSettingsCreate
  lots: ReadonlyMap<string, Row<'address_lot'>>
  configs: ReadonlyMap<string, Row<'bgp_config'>>
  /** The sealed key of each peer that has one. */
  keys: ReadonlyMap<BgpPeer, string>
}

/** Lots are locked in one order, so that two changes cannot wait for each other. */
export async function lockReferred(tx: Change, { lots, configs }: PreparedSettings): Promise<void> {
  for (const id of unique(lots)) await tx.lockById('address_lot', id)
  for (const id of unique(configs)) await tx.hold('bgp_config', id)
}

const unique = (rows: ReadonlyMap<string, { id: string }>): string[] =>
  [...new Set([...rows.values()].map(({ id }) => id))].sort()

export async function lockNamed(tx: Change, name: string): Promise<Settings | undefined> {
  const found = await tx.read
    .selectFrom('switch_port_settings')
    .select('id')
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return found && tx.lockById('switch_port_settings', found.id)
}

export const portsWith = (db: Reader, settingsId: string): Promise<Row<'switch_port'>[]> =>
  db
    .selectFrom('switch_port')
    .selectAll()
    .where('port_settings_id', '=', settingsId)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .execute()

export async function insertSettings(tx: Change, prepared: PreparedSettings): Promise<Settings> {
  const { name, description } = prepared.body
  const id = tx.cx.newId()
  const contents = await contentsOf(tx, id, prepared, [])
  return tx.insert('switch_port_settings', { id, name, description, contents: JSON.stringify(contents) })
}

/** `kept` are contents that may return: their addresses and keys stay reserved. */
export async function replaceSettings(
  tx: Change,
  row: Settings,
  prepared: PreparedSettings,
  kept: readonly PortSettingsContents[],
): Promise<Settings> {
  // The addresses that only the old contents use are free for others at once, but not for these settings twice.
  const contents = await contentsOf(tx, row.id, prepared, row.contents.bgp_peers)
  await forgetUnused(tx, row.id, [contents, ...kept])
  return writeContents(tx, row, prepared.body.description, contents)
}

/** Writes the contents and hands them to the switches, whose links start again. */
export async function writeContents(
  tx: Change,
  row: Settings,
  description: string,
  contents: PortSettingsContents,
): Promise<Settings> {
  const written = await tx.update('switch_port_settings', row, {
    description,
    contents: JSON.stringify(contents),
  })
  for (const { id } of await portsWith(tx.read, row.id)) {
    const port = await tx.lockById('switch_port', id)
    await tx.update('switch_port', port, { time_applied: tx.cx.now() })
  }
  return written
}

/** Releases the addresses and deletes the keys of settings that none of the contents uses. */
export async function forgetUnused(
  tx: Change,
  settingsId: string,
  contents: readonly PortSettingsContents[],
): Promise<void> {
  const used = new Set(contents.flatMap((each) => each.addresses.map(reservationOf)))
  const held = await reservedBy(tx, settingsId)
  for (const { address_lot_id, address_key } of held)
    if (!used.has(`${address_lot_id} ${address_key}`))
      await tx.plain
        .deleteFrom('address_reservation')
        .where('holder_id', '=', settingsId)
        .where('address_lot_id', '=', address_lot_id)
        .where('address_key', '=', address_key)
        .execute()
  const keys = contents.flatMap((each) => each.bgp_peers.flatMap(({ md5_key_id }) => md5_key_id ?? []))
  const unused = tx.plain.deleteFrom('bgp_peer_key').where('port_settings_id', '=', settingsId)
  await (keys.length > 0 ? unused.where('id', 'not in', keys) : unused).execute()
}

const reservedBy = (tx: Change, holderId: string) =>
  tx.read.selectFrom('address_reservation').selectAll().where('holder_id', '=', holderId).execute()

const reservationOf = ({ address_lot_id, address }: StoredAddress): string =>
  `${address_lot_id} ${keyOf(address)}`

function keyOf(address: string): string {
  const net = parseIpNet(address)
  if (!net) throw new Error(`${address} is no address with a width`)
  return addressKey({ version: net.version, value: net.address })
}

/** The stored form of a request, with its addresses reserved and its keys written. */
async function contentsOf(
  tx: Change,
  id: string,
  prepared: PreparedSettings,
  before: readonly StoredPeer[],
): Promise<PortSettingsContents> {
  const { body } = prepared
  const own = { port_settings_id: id }
  const interfaces = body.interfaces.map(({ link_name, v6_enabled, kind }) => ({
    row: { ...own, id: tx.cx.newId(), interface_name: link_name, v6_enabled, kind: kind.type },
    vid: kind.type === 'vlan' ? kind.vid : undefined,
  }))
  return {
    groups: [],
    port: { ...own, geometry: body.port_config.geometry },
    links: body.links.map(({ lldp, tx_eq, ...link }) => ({
      ...own,
      ...link,
      lldp_link_config: { id: tx.cx.newId(), ...lldp },
      tx_eq_config: tx_eq ?? null,
    })),
    interfaces: interfaces.map(({ row }) => row),
    vlan_interfaces: interfaces.flatMap(({ row, vid }) =>
      vid === undefined ? [] : [{ interface_config_id: row.id, vlan_id: vid }],
    ),
    routes: body.routes.flatMap(({ link_name, routes }) =>
      routes.map(({ vid, ...route }) => ({
        ...own,
        interface_name: link_name,
        ...route,
        vlan_id: vid ?? null,
      })),
    ),
    addresses: await addressesOf(tx, id, prepared),
    bgp_peers: await peersOf(tx, id, prepared, before),
  }
}

async function addressesOf(
  tx: Change,
  id: string,
  { body, lots }: PreparedSettings,
): Promise<StoredAddress[]> {
  const held = await reservedBy(tx, id)
  const seen = new Set<string>()
  const stored: StoredAddress[] = []
  for (const { link_name, addresses } of body.addresses)
    for (const { address, address_lot, vlan_id } of addresses) {
      const lot = lots.get(address_lot)
      const net = parseIpNet(address)
      if (!lot || !net) throw new Error(`${address_lot} was not prepared`)
      const key = keyOf(address)
      if (seen.has(`${lot.id} ${key}`))
        throw invalid('address unavailable', `Name ${address} only once in the settings.`)
      seen.add(`${lot.id} ${key}`)
      const mine = held.find((row) => row.address_lot_id === lot.id && row.address_key === key)
      const ip = { version: net.version, value: net.address }
      stored.push({
        port_settings_id: id,
        interface_name: link_name,
        address,
        address_lot_id: lot.id,
        address_lot_name: lot.name,
        address_lot_block_id:
          mine?.address_lot_block_id ?? (await reserve(tx, { lot, holder_id: id, address: ip })),
        vlan_id: vlan_id ?? null,
      })
    }
  return stored
}

async function peersOf(
  tx: Change,
  id: string,
  { body, configs, keys }: PreparedSettings,
  before: readonly StoredPeer[],
): Promise<StoredPeer[]> {
  const stored: StoredPeer[] = []
  for (const { link_name, peers } of body.bgp_peers)
    for (const peer of peers) {
      const { md5_auth_key, has_md5_auth_key: _shown, bgp_config, addr: type, ...rest } = peer
      const ends = endsOf(type)
      const same = before.find(
        ({ interface_name, addr }) => interface_name === link_name && addr === ends.addr,
      )
      const sealed = keys.get(peer)
      stored.push({
        ...rest,
        ...ends,
        interface_name: link_name,
        bgp_config: configs.get(bgp_config)?.id ?? bgp_config,
        md5_key_id: sealed
          ? await insertKey(tx, id, sealed)
          : // Absent keeps the key, which no view returns; null or an empty text removes it.
            md5_auth_key === undefined
            ? (same?.md5_key_id ?? null)
            : null,
      })
    }
  return stored
}

/** The ends of a session as they are stored. */
export const endsOf = (type: RouterPeerType): Pick<StoredPeer, 'addr' | 'src_addr' | 'router_lifetime'> =>
  type.type === 'unnumbered'
    ? { addr: null, router_lifetime: type.router_lifetime }
    : { addr: type.target_addr, ...(type.src_addr && { src_addr: type.src_addr }) }

async function insertKey(tx: Change, port_settings_id: string, key: string): Promise<string> {
  const row = { id: tx.cx.newId(), port_settings_id, key }
  await tx.plain.insertInto('bgp_peer_key').values(row).execute()
  return row.id
}
