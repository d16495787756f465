import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, opQuery } from '#/data/queries.ts'
import type { PlacedPort } from '../queries.ts'

export type LldpConfig = OutputOf<'networkingSwitchPortLldpConfigView'>
export type Neighbor = OutputOf<'networkingSwitchPortLldpNeighbors'>['items'][number]

/** Path and query of a port. */
export const portAt = ({ rackId, switchLocation, portName }: PlacedPort) => ({
  path: { port: portName },
  query: { rackId, switchSlot: switchLocation },
})

export const lldpConfig = (port: PlacedPort) => opQuery(op.networkingSwitchPortLldpConfigView, portAt(port))
export const lldpNeighbors = ({ rackId, switchLocation, portName }: PlacedPort) =>
  allQuery(op.networkingSwitchPortLldpNeighbors, {
    path: { rackId, switchSlot: switchLocation, port: portName },
    query: {},
  })

/** The texts that a switch announces, besides the port itself. */
export const lldpTexts = [
  ['chassisId', 'Chassis ID'],
  ['systemName', 'System name'],
  ['systemDescription', 'System description'],
  ['linkName', 'Port name'],
  ['linkDescription', 'Port description'],
  ['managementIp', 'Management address'],
] as const

/** Maximum length of each text, in characters. */
export const lldpTextMax = 255
