import type { Fabric, FabricPort } from '@gantry/api/rack-network/fabric'
import { switchLocations } from '@gantry/api/rack-network/address-lot.rules'
import { gigabitsOf } from '@gantry/api/rack-network/switch-port.rules'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Row } from '../../db/tables.ts'
import { type Configs, peersOf } from '../../fleet/fabric/peers.ts'
import { linksOf, lldpNeighborsOf, type Settings } from '../../fleet/fabric/port.ts'
import type { Cx } from '../../context/cx.ts'
import { needFleet } from '../../lookup/need.ts'
import { configRows, configsIn, millisSince, withSettings } from './status.ts'

/** The whole fabric at once: a rack has two switches, and these have few ports. */
export async function viewFabric(cx: Cx): Promise<Fabric> {
  needFleet(cx, 'list_children')
  const { db } = cx
  const racksWithSwitches = db
    .selectFrom('rack')
    .select('id')
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('switch')
          .select(['switch.id', 'serial'])
          .whereRef('rack_id', '=', 'rack.id')
          .where('switch.time_deleted', 'is', null)
          .orderBy('serial'),
      ).as('switches'),
    )
    .where('time_deleted', 'is', null)
    .orderBy('id')
  const { racks, configs: rows } = await db
    .selectNoFrom([jsonArrayFrom(racksWithSwitches).as('racks'), jsonArrayFrom(configRows(db)).as('configs')])
    .executeTakeFirstOrThrow()
  const configs = configsIn(rows)
  const ports = await db
    .selectFrom('switch_port')
    .selectAll()
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .execute()
  const settings = new Map((await withSettings(db, ports)).map((each) => [each.port.id, each.settings]))
  const now = cx.now()
  return {
    racks: racks.map(({ id, switches }) => ({
      id,
      switches: switchLocations.map((switch_location, index) => ({
        switch_location,
        switch_id: switches[index]?.id ?? null,
        serial: switches[index]?.serial ?? null,
        ports: ports
          .filter((port) => port.rack_id === id && port.switch_location === switch_location)
          .map((port) => portOf(port, settings.get(port.id), configs, now))
          .sort((one, other) => numberOf(one) - numberOf(other)),
      })),
    })),
  }
}

const numberOf = ({ port_name }: FabricPort): number => Number(/\d+$/.exec(port_name)?.[0] ?? 0)

function portOf(
  port: Row<'switch_port'>,
  settings: Settings | undefined,
  configs: Configs,
  now: Date,
): FabricPort {
  const [neighbor] = lldpNeighborsOf(port, settings, now)
  return {
    id: port.id,
    port_name: port.port_name,
    port_settings: settings ? { id: settings.id, name: settings.name } : null,
    neighbor: neighbor ? { system_name: neighbor.system_name ?? '', link_name: neighbor.link_name } : null,
    links: linksOf(port, settings, now).map(({ link, state, reason, since }) => ({
      link_name: link.link_name,
      state,
      reason: reason ?? null,
      since: since.toISOString(),
      speed_gbps: gigabitsOf(link.speed),
      addresses: (settings?.contents.addresses ?? [])
        .filter(({ interface_name }) => interface_name === link.link_name)
        .map(({ address }) => address),
    })),
    peers: settings
      ? peersOf(port, settings, configs, now).map((report) => ({
          link_name: report.peer.interface_name,
          addr: report.addr,
          peer_id: report.peer_id,
          bgp_config: { id: report.config.id, name: report.config.name },
          local_asn: report.config.asn,
          remote_asn: report.remote_asn,
          state: report.state,
          state_duration_millis: millisSince(now, report.since),
          reason: report.reason ?? null,
          exported: [...report.exported],
          imported: [...report.imported],
        }))
      : [],
  }
}
