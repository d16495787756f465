import type { LldpNeighbor, SwitchPort } from '@gantry/api/rack-network/switch-port'
import { isSwitchLocation } from '@gantry/api/rack-network/address-lot.rules'
import type { LldpLinkConfig } from '@gantry/api/rack-network/switch-port-settings'
import { ops } from '@gantry/api/registry'
import { portName, portsPerSwitch } from '@gantry/api/rack-network/switch-port.rules'
import type { Row } from '../../db/tables.ts'
import { lldpNeighborsOf, portStatusOf } from '../../fleet/fabric/port.ts'
import { arrayPage } from '../../list/array-page.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Scan } from '../../list/keyset-page.ts'
import { aim, need, needFleet } from '../../lookup/need.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { invalid, invalidValue, notFound } from '../../context/refusal.ts'
import type { Services } from '../../context/services.ts'
import { latestPast } from '../../context/time.ts'
import { withGeneration } from '../../lookup/views.ts'
import { portsWith } from './settings-contents.ts'
import { endTrials, refuseDuringTrial } from './trial-store.ts'
import { lldpView, type Settings } from './settings.ts'

type Port = Row<'switch_port'>
interface PortAddress {
  rack_id: string
  switch_slot: string
  port: string
}

const portView = (row: Port): SwitchPort =>
  withGeneration(
    {
      id: row.id,
      rack_id: row.rack_id,
      switch_slot: row.switch_location,
      port_name: row.port_name,
      port_settings_id: row.port_settings_id,
    },
    row.generation,
  )

/** The reference accepts an id in the query, and ignores it. */
export const listPorts = (cx: Cx, { switch_port_id: _ignored, ...query }: ListQuery) => {
  needFleet(cx, 'list_children')
  return listAll(cx, 'switch_port', query, portView)
}

/** A port has no name of its own, only a place. */
async function findPort(cx: Cx, { rack_id, switch_slot, port }: PortAddress): Promise<Port> {
  const row = await cx.db
    .selectFrom('switch_port')
    .selectAll()
    .where('rack_id', '=', rack_id)
    .where('switch_location', '=', switch_slot as Port['switch_location'])
    .where('port_name', '=', port)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('switch-port', { name: port })
  return row
}

export async function applySettings(cx: Cx, at: PortAddress, given: string): Promise<void> {
  needFleet(cx, 'modify')
  const port = await findPort(cx, at)
  const { row: settings } = await need(cx, 'switch_port_settings', { port_settings: given }, 'read')
  await change(cx, fleetScope, async (tx) => {
    await tx.hold('switch_port_settings', settings.id)
    await endTrials(tx, port.id, 'superseded')
    await setSettings(tx, await tx.lockById('switch_port', port.id), settings.id)
  })
}

export async function clearSettings(cx: Cx, at: PortAddress): Promise<void> {
  needFleet(cx, 'modify')
  const port = await findPort(cx, at)
  aim(cx, port)
  await change(cx, fleetScope, async (tx) => {
    await endTrials(tx, port.id, 'superseded')
    await setSettings(tx, await tx.lockById('switch_port', port.id), null)
  })
}

export const setSettings = (tx: Change, port: Port, port_settings_id: string | null): Promise<Port> =>
  tx.update('switch_port', port, {
    port_settings_id,
    time_applied: port_settings_id === null ? null : tx.cx.now(),
  })

/** Links whose settings were applied in the future start to come up now. */
export async function repairPorts({ db }: Services, now: Date): Promise<void> {
  await db
    .updateTable('switch_port')
    .set({ time_applied: now })
    .where('time_applied', '>', latestPast(now))
    .execute()
}

const portNames: ReadonlySet<string> = new Set(
  Array.from({ length: portsPerSwitch }, (_, at) => portName(at)),
)

function needSwitchName(given: string): void {
  if (!isSwitchLocation(given)) throw invalid('invalid switch name', 'Name switch0 or switch1.')
}

/** Free-form in the reference: the links as the switch reports them, and what its sensors measure. */
export async function viewStatus(cx: Cx, at: PortAddress): Promise<unknown> {
  needFleet(cx, 'read')
  needSwitchName(at.switch_slot)
  if (!portNames.has(at.port))
    throw invalid('invalid port name', `Ports are named ${portName(0)} to ${portName(portsPerSwitch - 1)}.`)
  const port = await findPort(cx, at)
  return portStatusOf(port, await settingsOf(cx, port), cx.now())
}

async function settingsOf(cx: Cx, { port_settings_id }: Port): Promise<Settings | undefined> {
  if (port_settings_id === null) return undefined
  return (await need(cx, 'switch_port_settings', { port_settings: port_settings_id }, 'read')).row
}

/** The configuration belongs to the first link of the settings, and so to every port that uses them. */
async function findLldp(cx: Cx, at: PortAddress): Promise<{ settings: Settings; config: LldpLinkConfig }> {
  const settings = await settingsOf(cx, await findPort(cx, at))
  const config = settings?.contents.links[0]?.lldp_link_config
  if (!settings || !config)
    throw invalidValue(
      'settings',
      'the port has no settings with a link',
      'Apply settings to the port first.',
    )
  return { settings, config }
}

export async function viewLldp(cx: Cx, at: PortAddress): Promise<LldpLinkConfig> {
  needFleet(cx, 'read')
  return lldpView((await findLldp(cx, at)).config)
}

export async function updateLldp(cx: Cx, at: PortAddress, body: LldpLinkConfig): Promise<void> {
  needFleet(cx, 'modify')
  const found = await findLldp(cx, at)
  await change(cx, fleetScope, async (tx) => {
    const settings = await tx.lockById('switch_port_settings', found.settings.id)
    // A revert would undo the edit with the rest.
    await refuseDuringTrial(tx, settings.id)
    const [first, ...others] = settings.contents.links
    const config = first?.lldp_link_config
    if (!first || config?.id !== body.id)
      throw invalid(
        `id (${body.id}) doesn't match provided config (${config?.id ?? ''})`,
        'Fetch the configuration again.',
      )
    const links = [{ ...first, lldp_link_config: body }, ...others]
    await tx.update('switch_port_settings', settings, {
      contents: JSON.stringify({ ...settings.contents, links }),
    })
    // The links stay up: only what their ports announce changes.
    for (const { id } of await portsWith(tx.read, settings.id))
      tx.note('switch-port', id, { lldp: config }, { lldp: body })
  })
}

export async function listNeighbors(
  cx: Cx,
  at: PortAddress,
  query: Scan,
): Promise<{ items: LldpNeighbor[]; next_page: string | null }> {
  needFleet(cx, 'list_children')
  needSwitchName(at.switch_slot)
  const port = await findPort(cx, at)
  const neighbors = lldpNeighborsOf(port, await settingsOf(cx, port), cx.now())
  return arrayPage(cx, ops.networkingSwitchPortLldpNeighbors, query, {
    items: () => neighbors,
    keyOf: ({ chassis_id, link_name }) => `${chassis_id} ${link_name}`,
    // The neighbor of a token may be gone.
    isKey: () => true,
  })
}
