import type { CallOptions, InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { Answer } from '#/data/client.ts'
import { eachQuery } from '#/data/each-query.ts'
import { allQuery, opQuery, readAll } from '#/data/queries.ts'

export type Fabric = OutputOf<'networkFabricView'>
export type FabricPort = Fabric['racks'][number]['switches'][number]['ports'][number]
export type Trial = OutputOf<'networkTrialList'>['items'][number]
export type NetworkChange = InputOf<'networkImpactView'>['body']

/** A port with its switch. */
export interface PlacedPort extends FabricPort {
  place: string
  rackId: string
  switchLocation: string
}

const changingMs = 2000
const steadyMs = 10_000

/** Links and sessions come up without a change record, so the fabric is polled often until then. */
const isChanging = (fabric: Fabric | undefined): boolean =>
  portsOf(fabric).some(
    ({ links, peers }) =>
      links.some(({ state }) => state === 'coming_up') ||
      peers.some(({ state }) => state !== 'established' && state !== 'idle' && state !== 'active'),
  )

export const fabricView = {
  ...opQuery(op.networkFabricView, {}, plainFabric),
  refetchInterval: ({ state }: { state: { data: Fabric | undefined } }) =>
    isChanging(state.data) ? changingMs : steadyMs,
}

/** Every port of every switch, in order. */
export const portsOf = (fabric: Fabric | undefined): PlacedPort[] =>
  (fabric?.racks ?? []).flatMap(({ id: rackId, switches }) =>
    switches.flatMap(({ switchLocation, ports }) =>
      ports.map((port) => ({ ...port, rackId, switchLocation, place: `${switchLocation} ${port.portName}` })),
    ),
  )

/** The state of a port's links, in the switch's own words. */
export const portStatus = ({ rackId, switchLocation, portName }: PlacedPort) =>
  opQuery(op.networkingSwitchPortStatus, {
    path: { port: portName },
    query: { rackId, switchSlot: switchLocation },
  })
/** Polled often during a trial: the change itself may have cut off the stream. */
export const trials = {
  ...opQuery(op.networkTrialList, {}),
  refetchInterval: ({ state }: { state: { data: OutputOf<'networkTrialList'> | undefined } }) =>
    state.data?.items.some((trial) => trial.state === 'running') ? changingMs : steadyMs,
}
export const allPortSettings = allQuery(op.networkingSwitchPortSettingsList, {})
export const allowList = opQuery(op.networkingAllowListView, {})
export const networkingSettings = opQuery(op.systemNetworkingSettingsView, {})
export const inboundIcmp = opQuery(op.networkingInboundIcmpView, {})
/** The connections that a change would interrupt. The operation changes nothing. */
export const impactOf = (body: NetworkChange) => opQuery(op.networkImpactView, { body })

type Switch = Fabric['racks'][number]['switches'][number]

/** Racks, switches and ports with their settings. The base API reports neither links nor peers. */
async function plainFabric(
  _input: unknown,
  { signal = new AbortController().signal }: CallOptions,
): Promise<Answer<'networkFabricView'>> {
  const [ports, settings] = await Promise.all([
    readAll(op.networkingSwitchPortList, {}, signal),
    readAll(op.networkingSwitchPortSettingsList, {}, signal),
  ])
  const names = new Map(settings.map(({ id, name }) => [id, name]))
  const racks = new Map<string, Map<string, Switch>>()
  for (const { id, rackId, switchSlot: switchLocation, portName, portSettingsId } of ports) {
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

export const allLots = allQuery(op.networkingAddressLotList, {})
/** The API lists blocks for one lot at a time. */
export const blocksOfLots = (lots: readonly { id: string }[] | undefined) =>
  eachQuery(op.networkingAddressLotBlockList, lots, (addressLot) => ({ path: { addressLot }, query: {} }))
