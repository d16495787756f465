import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '#/data/queries.ts'

export const shownFailed = 5
/** Instances that the user may see and that have failed, the latest first. */
export const failedInstances = opQuery(op.instanceSortedList, {
  path: {},
  query: { filter: 'state:failed', sortBy: 'time_run_state_updated_descending', limit: shownFailed },
})

/** How many instances there are in each state, in all projects that the user may see. */
export const instanceStates = opQuery(op.listValues, { query: { kind: 'instance', field: 'state' } })

const shownActivity = 5
/** What the user changed last. */
export const ownActivity = opQuery(op.activityList, { query: { mine: true, limit: shownActivity } })
