import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, opQuery } from '#/data/queries.ts'
import { plainFabric } from './plain-fabric.ts'

export type Fabric = OutputOf<'networkFabricView'>
export type FabricPort = Fabric['racks'][number]['switches'][number]['ports'][number]
export type Trial = OutputOf<'networkTrialList'>['items'][number]
export type NetworkChange = InputOf<'networkImpactView'>['body']

/** A port with the switch that it is on. */
export interface PlacedPort extends FabricPort {
  place: string
  rackId: string
  switchLocation: string
}

const settlingMs = 2000
const settledMs = 10_000

/** Links and sessions come up without a change record, so the fabric is read often until they have. */
const isSettling = (fabric: Fabric | undefined): boolean =>
  portsOf(fabric).some(
    ({ links, peers }) =>
      links.some(({ state }) => state === 'coming_up') ||
      peers.some(({ state }) => state !== 'established' && state !== 'idle' && state !== 'active'),
  )

export const fabricView = {
  ...opQuery(op.networkFabricView, {}, plainFabric),
  refetchInterval: ({ state }: { state: { data: Fabric | undefined } }) =>
    isSettling(state.data) ? settlingMs : settledMs,
}

/** Every port of every switch, in order. */
export const portsOf = (fabric: Fabric | undefined): PlacedPort[] =>
  (fabric?.racks ?? []).flatMap(({ id: rackId, switches }) =>
    switches.flatMap(({ switchLocation, ports }) =>
      ports.map((port) => ({ ...port, rackId, switchLocation, place: `${switchLocation} ${port.portName}` })),
    ),
  )

/** The state of a port's links, in whatever words the switch has. */
export const portStatus = ({ rackId, switchLocation, portName }: PlacedPort) =>
  opQuery(op.networkingSwitchPortStatus, { path: { port: portName }, query: { rackId, switchLocation } })
export const trials = opQuery(op.networkTrialList, {})
export const allPortSettings = allQuery(op.networkingSwitchPortSettingsList, {})
export const allowList = opQuery(op.networkingAllowListView, {})
export const inboundIcmp = opQuery(op.networkingInboundIcmpView, {})
/** What a change would cut off; the operation only reads. */
export const impactOf = (body: NetworkChange) => opQuery(op.networkImpactView, { body })
