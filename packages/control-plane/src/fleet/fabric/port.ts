import { gigabitsOf, linksOfGeometry } from '@gantry/api/rack-network/switch-port.rules'
import type { LldpNeighbor } from '@gantry/api/rack-network/switch-port'
import type { Row } from '../../db/tables.ts'
import { type Neighbor, neighborAt } from './neighbor.ts'

export type Port = Pick<Row<'switch_port'>, 'rack_id' | 'switch_location' | 'port_name' | 'time_applied'>
export type Settings = Pick<Row<'switch_port_settings'>, 'id' | 'name' | 'contents'>
type Link = Settings['contents']['links'][number]

/** How long a link needs to come up after its port got settings. */
export const linkUpMs = 2000
/** Interval between a neighbour's LLDP messages. */
const lldpMs = 30_000

export interface LinkReport {
  link: Link
  state: 'up' | 'coming_up' | 'down'
  /** Why it is not up. */
  reason: string | undefined
  /** When it went up, or when it was last configured. */
  since: Date
}

/**
 * The links of a port, which follow its settings: they come up after a moment if both ends agree, and stay down
 * with a reason otherwise.
 */
export function linksOf(port: Port, settings: Settings | undefined, now: Date): LinkReport[] {
  const applied = port.time_applied ?? now
  const neighbor = neighborAt(port.switch_location, port.port_name)
  return (settings?.contents.links ?? []).map((link) => {
    const problem = linkProblem(link, settings?.contents.port.geometry ?? 'qsfp28x1', neighbor)
    if (problem) return { link, state: 'down', reason: problem, since: applied }
    const up = new Date(applied.getTime() + linkUpMs)
    return now < up
      ? { link, state: 'coming_up', reason: 'The link is coming up.', since: applied }
      : { link, state: 'up', reason: undefined, since: up }
  })
}

function linkProblem(
  { link_name, speed, fec }: Link,
  geometry: keyof typeof linksOfGeometry,
  neighbor: Neighbor | undefined,
): string | undefined {
  const count = linksOfGeometry[geometry]
  const names = Array.from({ length: count }, (_, index) => `phy${index}`)
  if (!names.includes(link_name))
    return `A port with geometry ${geometry} has no link ${link_name}, only ${names.join(', ')}.`
  if (!neighbor) return 'No cable is connected.'
  const { system_name, gigabits } = neighbor
  if (count > 1)
    return `${system_name} runs one link of ${gigabits} Gbit/s on all lanes, and the port is split into ${count} links.`
  if (gigabitsOf(speed) !== gigabits)
    return `${system_name} runs at ${gigabits} Gbit/s, and the link at ${gigabitsOf(speed)} Gbit/s.`
  // Without a method of its own, the link uses the one that suits the cable.
  if (fec && fec !== neighbor.fec)
    return `${system_name} corrects errors by ${neighbor.fec}, and the link by ${fec}.`
  return undefined
}

/** The switch's report about a port. */
export function portStatusOf(port: Port, settings: Settings | undefined, now: Date) {
  const neighbor = neighborAt(port.switch_location, port.port_name)
  const link = linksOf(port, settings, now).map(
    ({ link: { link_name, speed, fec, autoneg }, ...report }) => ({
      link_name,
      state: report.state === 'up' ? 'up' : 'down',
      reason: report.reason ?? null,
      since: report.since.toISOString(),
      speed_gbps: gigabitsOf(speed),
      fec: fec ?? neighbor?.fec ?? null,
      autoneg,
    }),
  )
  // Without a module in the port, there is nothing to measure.
  const monitors = neighbor && {
    module_temperature_celsius: 41,
    receiver_power_milliwatts: link.some(({ state }) => state === 'up') ? 0.82 : 0,
    supply_voltage_volts: 3.3,
  }
  return { link, monitors: monitors ?? null }
}

/** The announcement of the other end, while both ends speak LLDP. */
export function lldpNeighborsOf(port: Port, settings: Settings | undefined, now: Date): LldpNeighbor[] {
  const neighbor = neighborAt(port.switch_location, port.port_name)
  const up = linksOf(port, settings, now).find(
    ({ state, link }) => state === 'up' && link.lldp_link_config?.enabled === true,
  )
  if (!neighbor || !up) return []
  const age = now.getTime() - up.since.getTime()
  return [
    {
      chassis_id: neighbor.chassis_id,
      link_name: neighbor.link_name,
      link_description: `to the rack, ${port.switch_location} ${port.port_name}`,
      local_port: port.port_name,
      system_name: neighbor.system_name,
      system_description: 'simulated router',
      first_seen: up.since.toISOString(),
      last_seen: new Date(up.since.getTime() + age - (age % lldpMs)).toISOString(),
      management_ip: [{ addr: { ip_addr: neighbor.management_ip }, interface_num: { if_index: 1 } }],
    },
  ]
}
