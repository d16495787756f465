import type { OutputOf } from '@gantry/api/client/client'

type FleetAssignment = OutputOf<'fleetAccessView'>['assignments'][number]

/** Names by id of everyone in the fleet's policy; those of other silos carry the name of theirs. */
export const namesAcross = (
  assignments: readonly Pick<FleetAssignment, 'identityId' | 'displayName' | 'silo'>[],
  ownSilo: string,
): ReadonlyMap<string, string> =>
  new Map(
    assignments.flatMap(({ identityId, displayName, silo }) => {
      if (displayName === null) return []
      const isElsewhere = silo !== null && silo.name !== ownSilo
      return [[identityId, isElsewhere ? `${displayName} (silo ${silo.name})` : displayName] as const]
    }),
  )
