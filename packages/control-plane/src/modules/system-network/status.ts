import type {
  AggregateBgpMessageHistory,
  BgpExported,
  BgpExportedByPeer,
  BgpImported,
  BgpImportedRouteIpv4,
  BgpPeerStatus,
} from '@gantry/api/rack-network/bgp'
import type { BfdSessionEnable, BfdStatus } from '@gantry/api/rack-network/bfd'
import { type SwitchLocation, switchLocations } from '@gantry/api/rack-network/address-lot.rules'
import { isIpv4 } from '@gantry/api/base/ip.rules'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { bfdStateOf } from '../../fleet/fabric/bfd.ts'
import { messagesOf } from '../../fleet/fabric/messages.ts'
import { type Configs, type PeerReport, peersOf } from '../../fleet/fabric/peers.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { needFleet } from '../../lookup/need.ts'
import { alreadyExists } from '../../context/refusal.ts'
import { needLocation } from './loopback.ts'

export interface ConfiguredPort {
  port: Row<'switch_port'>
  settings: Row<'switch_port_settings'>
}

/** Every port with settings, in the order of switches and ids. */
export async function configuredPorts(db: Reader): Promise<ConfiguredPort[]> {
  const ports = await db
    .selectFrom('switch_port')
    .selectAll()
    .where('port_settings_id', 'is not', null)
    .where('time_deleted', 'is', null)
    .orderBy('switch_location')
    .orderBy('id')
    .execute()
  return withSettings(db, ports)
}

/** The ports that have settings, with them. */
export async function withSettings(
  db: Reader,
  ports: readonly Row<'switch_port'>[],
): Promise<ConfiguredPort[]> {
  const ids = [...new Set(ports.flatMap(({ port_settings_id }) => port_settings_id ?? []))]
  if (ids.length === 0) return []
  const rows = await db.selectFrom('switch_port_settings').selectAll().where('id', 'in', ids).execute()
  const settings = new Map(rows.map((row) => [row.id, row]))
  return ports.flatMap((port) => {
    const found = settings.get(port.port_settings_id ?? '')
    return found ? [{ port, settings: found }] : []
  })
}

/** All BGP configurations with what they announce. */
export const configRows = (db: Reader) =>
  db
    .selectFrom('bgp_config')
    .innerJoin('bgp_announce_set', 'bgp_announce_set.id', 'bgp_config.bgp_announce_set_id')
    .select(['bgp_config.id', 'bgp_config.name', 'asn', 'announcements'])
    .where('bgp_config.time_deleted', 'is', null)

type ConfigRow = Awaited<ReturnType<ReturnType<typeof configRows>['execute']>>[number]

/** By id. */
export const configsIn = (rows: readonly ConfigRow[]): Configs =>
  new Map(
    rows.map(({ announcements, ...config }) => [
      config.id,
      { ...config, networks: announcements.map(({ network }) => network) },
    ]),
  )

export const configsOf = async (db: Reader): Promise<Configs> => configsIn(await configRows(db).execute())

async function sessions(cx: Cx): Promise<PeerReport[]> {
  needFleet(cx, 'read')
  const configs = await configsOf(cx.db)
  const now = cx.now()
  return (await configuredPorts(cx.db)).flatMap(({ port, settings }) => peersOf(port, settings, configs, now))
}

export const millisSince = (now: Date, since: Date): number => Math.max(0, now.getTime() - since.getTime())

export const listPeers = async (cx: Cx): Promise<BgpPeerStatus[]> =>
  (await sessions(cx)).map(({ addr, peer_id, config, remote_asn, state, since, switch: location }) => ({
    addr,
    peer_id,
    local_asn: config.asn,
    remote_asn,
    state,
    state_duration_millis: millisSince(cx.now(), since),
    switch: location,
  }))

export const listExported = async (cx: Cx): Promise<BgpExported[]> =>
  (await sessions(cx)).flatMap(({ peer_id, exported, switch: location }) =>
    exported.map((prefix) => ({ peer_id, switch: location, prefix })),
  )

export async function viewExported(cx: Cx): Promise<BgpExportedByPeer> {
  const exports: Record<string, string[]> = {}
  for (const { peer_id, exported, state } of await sessions(cx))
    if (state === 'established') exports[peer_id] = [...new Set([...(exports[peer_id] ?? []), ...exported])]
  return { exports }
}

export async function listImported(cx: Cx, asn: number): Promise<BgpImported[]> {
  const routes = (await sessions(cx)).filter(({ config }) => config.asn === asn)
  return routes.flatMap(({ addr, imported, switch: location }, index) =>
    imported.map((prefix) => ({ prefix, nexthop: addr, id: index, switch: location })),
  )
}

export const listImportedIpv4 = async (cx: Cx, asn: number): Promise<BgpImportedRouteIpv4[]> =>
  (await listImported(cx, asn)).filter(({ nexthop }) => isIpv4(nexthop))

export async function viewHistory(cx: Cx, asn: number): Promise<AggregateBgpMessageHistory> {
  const own = (await sessions(cx)).filter(({ config }) => config.asn === asn)
  const historyOf = (location: SwitchLocation) =>
    Object.fromEntries(
      own
        .filter((report) => report.switch === location)
        .map((report) => [report.peer_id, messagesOf(report, cx.now())]),
    )
  const known = switchLocations.filter((location) => own.some((report) => report.switch === location))
  return { switch_histories: known.map((location) => ({ switch: location, history: historyOf(location) })) }
}

/** The reference lets viewers of the fleet enable and disable BFD sessions (control plane reference, A 17.8). */
export async function enableBfd(cx: Cx, body: BfdSessionEnable): Promise<void> {
  needFleet(cx, 'read')
  needCapability(cx.services.fleet, 'switches')
  const location = needLocation(body.switch_slot)
  const { remote, local, detection_threshold, required_rx, mode } = body
  await change(cx, fleetScope, async (tx) => {
    await tx
      .insert('bfd_session', {
        switch: location,
        remote,
        local: local ?? null,
        detection_threshold,
        // As the reference stores it.
        required_rx: Math.min(required_rx, 4_294_967_295),
        mode,
      })
      .catch((error: unknown) => {
        throw (error as { constraint?: string }).constraint === 'bfd_session_key'
          ? alreadyExists(
              'bfd-session',
              `${location} ${remote}`,
              `${location} already has a session with ${remote}. Disable it first.`,
            )
          : error
      })
  })
}

/** Succeeds also when there is no such session. */
export async function disableBfd(cx: Cx, at: { switch_slot: string; remote: string }): Promise<void> {
  needFleet(cx, 'read')
  const location = needLocation(at.switch_slot)
  await change(cx, fleetScope, async (tx) => {
    const found = await tx.read
      .selectFrom('bfd_session')
      .select('id')
      .where('switch', '=', location)
      .where('remote', '=', at.remote)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (found) await tx.remove('bfd_session', await tx.lockById('bfd_session', found.id))
  })
}

export async function listBfd(cx: Cx): Promise<BfdStatus[]> {
  needFleet(cx, 'read')
  const rows = await cx.db
    .selectFrom('bfd_session')
    .selectAll()
    .where('time_deleted', 'is', null)
    .orderBy('switch')
    .orderBy('remote')
    .execute()
  const ports = await configuredPorts(cx.db)
  return rows.map((row) => ({
    peer: row.remote,
    state: bfdStateOf(row, ports, cx.now()),
    switch_slot: row.switch,
    local: row.local,
    detection_threshold: row.detection_threshold,
    required_rx: row.required_rx,
    mode: row.mode,
  }))
}
