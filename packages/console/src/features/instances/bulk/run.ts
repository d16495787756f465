import * as op from '@gantry/api/client/operations.gen'
import type { BulkAction } from '@gantry/api/compute/instance-action.rules'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery, readAfter } from '#/data/queries.ts'
import type { Target } from './run-here.ts'

/** In a project, or in all that the user may see. */
type Where = string | undefined
const within = (project: Where) => (project === undefined ? {} : { project })

/** How many instances that match are in each state. */
export const statesOf = (project: Where, filter: string) =>
  opQuery(op.listValues, {
    query: { kind: 'instance', ...within(project), field: 'state', ...(filter && { filter }) },
  })

/** One run on all that match a filter, and no more than the caller saw. */
export async function runMatching(
  queryClient: QueryClient,
  project: Where,
  action: BulkAction,
  matching: { filter: string; atMost: number },
): Promise<void> {
  await call(op.instanceActionCreate, { query: within(project), body: { action, ...matching } })
  await readAfter(queryClient, op.instanceActionCreate)
}

export const recentRuns = (project: Where) => opQuery(op.instanceActionList, { query: within(project) })

/**
 * Starts a bulk run on the server. Servers without bulk runs get a request per instance, for as long as this page is
 * open.
 */
export async function runBulk(
  queryClient: QueryClient,
  project: Where,
  action: BulkAction,
  targets: readonly Target[],
): Promise<void> {
  try {
    const instances = targets.map(({ id }) => id)
    await call(op.instanceActionCreate, { query: within(project), body: { action, instances } })
    await readAfter(queryClient, op.instanceActionCreate)
  } catch (error) {
    if (!isAbsent(op.instanceActionCreate) || project === undefined) throw error
    const { runHere } = await import('./run-here.ts')
    void runHere(queryClient, project, action, targets)
  }
}
