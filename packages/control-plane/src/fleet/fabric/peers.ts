import type { SwitchLocation } from '@gantry/api/rack-network/address-lot.rules'
import type { BgpPeerState } from '@gantry/api/rack-network/bgp.rules'
import { netContains, netWithin, parseIp, parseIpNet } from '@gantry/api/base/ip.rules'
import type { ImportExportPolicy } from '@gantry/api/rack-network/switch-port-settings'
import type { Row, StoredPeer } from '../../db/tables.ts'
import { announcedByRouters, type Neighbor, neighborAddress, neighborAt } from './neighbor.ts'
import { linksOf, type Port, type Settings } from './port.ts'

/** The configurations of the rack's routers by id, each with the networks that it announces. */
export type Configs = ReadonlyMap<
  string,
  Pick<Row<'bgp_config'>, 'id' | 'name' | 'asn'> & { networks: readonly string[] }
>

export interface PeerReport {
  peer: StoredPeer
  /** What tells it from the other sessions of its switch: the address, or the interface of a peer without one. */
  peer_id: string
  /** Of the other end; unspecified while no router is known there. */
  addr: string
  config: { id: string; name: string; asn: number }
  switch: SwitchLocation
  remote_asn: number
  state: BgpPeerState
  since: Date
  /** Why the session is not established. */
  reason: string | undefined
  exported: readonly string[]
  imported: readonly string[]
  /** How the other end refused the session. */
  refusal: Refusal | undefined
}

interface Refusal {
  code: string
  text: string
}

/** The states of a session on its way up, with their time since the link came up. */
const ascent = [
  ['connect', 0],
  ['open_sent', 1000],
  ['open_confirm', 2000],
  ['established', 3000],
] as const satisfies readonly (readonly [BgpPeerState, number])[]

/** The sessions that the settings of a port configure. */
export function peersOf(port: Port, settings: Settings, configs: Configs, now: Date): PeerReport[] {
  const links = linksOf(port, settings, now)
  const neighbor = neighborAt(port.switch_location, port.port_name)
  return settings.contents.bgp_peers.flatMap((peer): PeerReport[] => {
    const config = configs.get(peer.bgp_config)
    if (!config) return []
    const remote_asn = neighbor?.asn ?? peer.remote_asn ?? 0
    const base = {
      peer,
      peer_id: peer.addr ?? `${port.port_name}/${peer.interface_name}`,
      addr: peer.addr ?? neighbor?.link_local ?? '::',
      config,
      switch: port.switch_location,
      remote_asn,
      exported: [],
      imported: [],
      refusal: undefined,
    }
    const link = links.find((each) => each.link.link_name === peer.interface_name)
    const applied = port.time_applied ?? now
    if (!link || !neighbor || link.state !== 'up') {
      const reason = link
        ? `The link ${link.link.link_name} is down. ${link.reason ?? ''}`.trim()
        : `The settings have no link ${peer.interface_name}.`
      return [{ ...base, state: 'idle', since: applied, reason }]
    }
    const silence = unreachable(peer, settings, neighbor)
    if (silence) return [{ ...base, state: 'active', since: link.since, reason: silence }]
    const refusal = refusalOf(peer, config.asn, neighbor)
    if (refusal) return [{ ...base, state: 'idle', since: link.since, reason: refusal.text, refusal }]
    const age = Math.max(0, now.getTime() - link.since.getTime())
    const [state, from] = ascent.findLast(([, since]) => since <= age) ?? ascent[0]
    const since = new Date(link.since.getTime() + from)
    if (state !== 'established') return [{ ...base, state, since, reason: 'The session is being set up.' }]
    return [
      {
        ...base,
        state,
        since,
        reason: undefined,
        exported: passing(peer.allowed_export, config.networks.filter(isV4)),
        imported: passing(peer.allowed_import, announcedByRouters),
      },
    ]
  })
}

const isV4 = (net: string): boolean => parseIpNet(net)?.version === 4

/** The networks that a filter lets through. */
function passing(policy: ImportExportPolicy, networks: readonly string[]): string[] {
  if (policy.type === 'no_filtering') return [...networks]
  const allowed = policy.value.flatMap((net) => parseIpNet(net) ?? [])
  return networks.filter((text) => {
    const net = parseIpNet(text)
    return net !== undefined && allowed.some((each) => netWithin(net, each))
  })
}

/** Why nothing answers to the peer. */
function unreachable(peer: StoredPeer, { contents }: Settings, neighbor: Neighbor): string | undefined {
  const silence =
    peer.addr === null ? unannounced(peer, contents) : unanswered(peer, peer.addr, contents, neighbor)
  if (silence) return silence
  return peer.md5_key_id === null
    ? undefined
    : `${neighbor.system_name} sends no MD5 signatures, and the peer has a key.`
}

/** Why the two ends of a link do not find each other. */
const unannounced = (
  { interface_name }: StoredPeer,
  { interfaces }: Settings['contents'],
): string | undefined =>
  interfaces.some((each) => each.interface_name === interface_name && !each.v6_enabled)
    ? `IPv6 is off on the link ${interface_name}, and routers find each other by it.`
    : undefined

/** Why nothing answers at the peer's address. */
function unanswered(
  { interface_name, vlan_id, src_addr }: StoredPeer,
  addr: string,
  contents: Settings['contents'],
  { system_name }: Neighbor,
): string | undefined {
  const ip = parseIp(addr)
  if (!ip) return `${addr} is not an address.`
  const own = contents.addresses.find(({ interface_name: link, address }) => {
    const net = parseIpNet(address)
    return link === interface_name && net !== undefined && netContains(net, ip)
  })
  if (!own) return `No address of the link ${interface_name} is in a network with ${addr}.`
  if (vlan_id || own.vlan_id) return `${system_name} does not answer in a VLAN.`
  const there = neighborAddress(own.address)
  if (there !== addr)
    return there === undefined
      ? `The network of ${own.address} has no room for a neighbour.`
      : `Nothing answers at ${addr}; in this network, ${system_name} has the address ${there}.`
  if (src_addr && !own.address.startsWith(`${src_addr}/`))
    return `${src_addr} is not the address of the link ${interface_name} in the network of ${addr}.`
  return undefined
}

/** How the other end refuses the session, if it does. */
function refusalOf(
  { remote_asn, hold_time }: StoredPeer,
  localAsn: number,
  { system_name, asn }: Neighbor,
): Refusal | undefined {
  if (typeof remote_asn === 'number' && remote_asn !== asn)
    return {
      code: 'bad_peer_as',
      text: `${system_name} has the ASN ${asn}, and the peer expects ${remote_asn}.`,
    }
  if (localAsn === asn)
    return { code: 'bad_peer_as', text: `${system_name} has the ASN ${asn} too, and refuses its own.` }
  // A hold time is either off or at least three seconds (RFC 4271, section 4.2).
  if (hold_time === 1 || hold_time === 2)
    return {
      code: 'unacceptable_hold_time',
      text: `${system_name} refuses a hold time of ${hold_time} s; it must be 0 or at least 3.`,
    }
  return undefined
}
