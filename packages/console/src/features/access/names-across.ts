import type { OutputOf } from '@gantry/api/client/client'

type FleetAssignment = OutputOf<'fleetAccessView'>['assignments'][number]

/** Names by id of all members of the fleet's policy. Users of other silos carry their silo's name. */
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
