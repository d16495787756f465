import * as op from '@gantry/api/client/operations.gen'
import type { BulkAction } from '@gantry/api/compute/instance-action.rules'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery, readAfter } from '#/data/queries.ts'
import type { Target } from './run-here.ts'

export const recentRuns = (project: string) => opQuery(op.instanceActionList, { query: { project } })

/**
 * Starts a bulk run on the server. Servers without bulk runs get a request per instance, for as long as this page is
 * open.
 */
export async function runBulk(
  queryClient: QueryClient,
  project: string,
  action: BulkAction,
  targets: readonly Target[],
): Promise<void> {
  try {
    const instances = targets.map(({ id }) => id)
    await call(op.instanceActionCreate, { query: { project }, body: { action, instances } })
    await readAfter(queryClient, op.instanceActionCreate)
  } catch (error) {
    if (!isAbsent(op.instanceActionCreate)) throw error
    const { runHere } = await import('./run-here.ts')
    void runHere(queryClient, project, action, targets)
  }
}
