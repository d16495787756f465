import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotNetworks, useWhyNotOnFleet } from '#/data/permissions.ts'
import { allQuery, listQuery, rowsOf } from '#/data/queries.ts'

/** The base API has fewer fields. */
export type Probe = OutputOf<'probeList'>['items'][number] &
  Partial<OutputOf<'probeStatusList'>['items'][number]>

export const probesIn = (project: string) =>
  listQuery(op.probeStatusList, { query: { project } }, { fallback: rowsOf(op.probeList, (probe) => probe) })
/** The sleds that can run a probe. */
export const sledsInService = allQuery(op.sledList, {})

/** Why probes cannot be changed: the fleet runs none, or the user lacks the role on the fleet or the project. */
export function useWhyNotProbes(project: string): string | undefined {
  const onFleet = useWhyNotOnFleet()
  const inProject = useWhyNotNetworks(project)
  return useWhyLacking('probes') ?? inProject ?? onFleet
}
