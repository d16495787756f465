import * as op from '@gantry/api/client/operations.gen'
import type { CallOptions, OutputOf } from '@gantry/api/client/client'
import { readAll } from '#/data/queries.ts'
import type { Answer } from '#/data/client.ts'

type Fabric = OutputOf<'networkFabricView'>
type Switch = Fabric['racks'][number]['switches'][number]

/** Racks, switches and ports with their settings by the base API, which tells neither links nor peers. */
export async function plainFabric(
  _input: unknown,
  { signal = new AbortController().signal }: CallOptions,
): Promise<Answer<'networkFabricView'>> {
  const [ports, settings] = await Promise.all([
    readAll(op.networkingSwitchPortList, {}, signal),
    readAll(op.networkingSwitchPortSettingsList, {}, signal),
  ])
  const names = new Map(settings.map(({ id, name }) => [id, name]))
  const racks = new Map<string, Map<string, Switch>>()
  for (const { id, rackId, switchLocation, portName, portSettingsId } of ports) {
    const switches = racks.get(rackId) ?? new Map<string, Switch>()
    const known = switches.get(switchLocation) ?? {
      switchLocation: switchLocation as Switch['switchLocation'],
      switchId: null,
      serial: null,
      ports: [],
    }
    const name = portSettingsId ? (names.get(portSettingsId) ?? portSettingsId) : undefined
    known.ports.push({
      id,
      portName,
      portSettings: portSettingsId && name ? { id: portSettingsId, name } : null,
      neighbor: null,
      links: [],
      peers: [],
    })
    racks.set(rackId, switches.set(switchLocation, known))
  }
  const inOrder = [...racks].map(([id, switches]) => ({ id, switches: [...switches.values()] }))
  return { data: { racks: inOrder }, etag: undefined }
}
