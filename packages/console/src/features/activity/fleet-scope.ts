import type { activityList } from '@gantry/api/client/operations.gen'
import * as op from '@gantry/api/client/operations.gen'
import type { ActivityScope } from './queries.ts'

/** Apart from the others, because most users never load operations of the fleet. */
export const fleetScope: ActivityScope = {
  of: 'fleet',
  // It takes and answers the same, but for the project.
  list: op.systemActivityList as unknown as typeof activityList,
}
