import type { AddressLotKind, SwitchLocation } from '@gantry/api/rack-network/address-lot.rules'
import type { BfdMode } from '@gantry/api/rack-network/bgp.rules'
import type { TrialState, TrialSubject } from '@gantry/api/rack-network/network-trial.rules'
import type { BgpPeer, SwitchPortSettings } from '@gantry/api/rack-network/switch-port-settings'
import type { Defaulted, Json, Named, Tracked } from './column-types.ts'

/** Objects with a history: written only through a change (`change/change.ts`). */
interface AddressLotTable extends Named {
  kind: AddressLotKind
}
interface AddressLotBlockTable {
  id: string
  address_lot_id: string
  first_ip: string
  last_ip: string
  /** Sort keys for addresses of both versions, as of IP ranges. */
  first_key: string
  last_key: string
}
interface AddressReservationTable {
  /** The loopback address or the switch port settings. */
  holder_id: string
  address_key: string
  address_lot_id: string
  address_lot_block_id: string
  is_anycast: boolean
}
interface LoopbackAddressTable extends Tracked {
  address_lot_block_id: string
  rack_id: string
  switch_location: SwitchLocation
  address: string
}
/** A BGP peer as stored: its key is in a table of its own. */
export interface StoredPeer extends Omit<
  BgpPeer,
  'md5_auth_key' | 'has_md5_auth_key' | 'addr' | 'interface_name'
> {
  interface_name: string
  /** Null for whichever router is at the other end of the link. */
  addr: string | null
  /** Of the own end; absent where the switch chooses. */
  src_addr?: string
  /** Of a peer without an address, in seconds. */
  router_lifetime?: number
  md5_key_id: string | null
}
/** The contents of port settings, besides their identity. */
export interface PortSettingsContents extends Omit<
  SwitchPortSettings,
  'id' | 'name' | 'description' | 'time_created' | 'time_modified' | 'bgp_peers' | 'interfaces'
> {
  bgp_peers: StoredPeer[]
  interfaces: (Omit<SwitchPortSettings['interfaces'][number], 'kind'> & {
    kind: SwitchPortSettings['interfaces'][number]['kind']['type']
  })[]
  vlan_interfaces: { interface_config_id: string; vlan_id: number }[]
}
interface SwitchPortSettingsTable extends Named {
  contents: Json<PortSettingsContents>
}
interface BgpPeerKeyTable {
  id: string
  port_settings_id: string
  /** Sealed. */
  key: string
}
interface SwitchPortTable extends Tracked {
  rack_id: string
  switch_location: SwitchLocation
  port_name: string
  port_settings_id: Defaulted<string | null>
  /** When the switch last got settings for this port. */
  time_applied: Defaulted<Date | null>
}
interface BgpAnnounceSetTable extends Named {
  announcements: Json<{ address_lot_block_id: string; network: string }[]>
}
interface BgpConfigTable extends Named {
  asn: number
  max_paths: Defaulted<number>
  vrf: string | null
  bgp_announce_set_id: string
}
interface BfdSessionTable extends Tracked {
  switch: SwitchLocation
  remote: string
  local: string | null
  detection_threshold: number
  required_rx: number
  mode: BfdMode
}
/** A setting without a row has its default. */
interface NetworkAccessTable {
  name: 'allow-list' | 'inbound-icmp' | 'networking-settings'
  generation: Defaulted<number>
  time_created: Date
  time_modified: Date
  value: Json<unknown>
}
/** A change that is reverted unless confirmed. */
interface NetworkTrialTable {
  id: string
  subject: TrialSubject
  /** The port; for the allow list, a fixed id. */
  subject_id: string
  before: Json<unknown>
  after: Json<unknown>
  /** The subject's generation after the change; any other means that it was changed since. */
  generation: number
  state: TrialState
  time_created: Date
  time_expires: Date
  time_ended: Date | null
}

export interface SystemNetworkTracked {
  address_lot: AddressLotTable
  loopback_address: LoopbackAddressTable
  switch_port_settings: SwitchPortSettingsTable
  switch_port: SwitchPortTable
  bgp_announce_set: BgpAnnounceSetTable
  bgp_config: BgpConfigTable
  bfd_session: BfdSessionTable
}

export interface SystemNetworkPlain {
  address_lot_block: AddressLotBlockTable
  address_reservation: AddressReservationTable
  bgp_peer_key: BgpPeerKeyTable
  network_access: NetworkAccessTable
  network_trial: NetworkTrialTable
}
