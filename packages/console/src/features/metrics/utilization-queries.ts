import * as op from '@gantry/api/client/operations.gen'
import type { OutputOf } from '@gantry/api/client/client'
import type { ProvisioningMetric } from '@gantry/api/metric.rules'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import type { ChartRange } from '#/ui/chart/chart.ts'
import { type Change, stepsOf } from './utilization-data.ts'

/** The measured scope: the fleet or one of its silos, or the user's silo or one of its projects. */
export type Scope = { of: 'fleet'; silo?: string | undefined } | { of: 'silo'; project?: string | undefined }

/** Maximum of changes in one chart (console reference C 13.2). */
const maxChanges = 3000
/** For ranges that a sliding page no longer shows. */
const keptMs = 60_000

/** The provisioned amounts in a range, as steps. */
export const provisionedIn = (scope: Scope, metric: ProvisioningMetric, range: ChartRange, subject: string) =>
  queryOptions<Change[], Failure>({
    queryKey: ['provisioned', { scope, metric, range, subject }],
    queryFn: async ({ signal }) => {
      const [start, end] = range
      const [changes, earlier] = await Promise.all([
        read(scope, metric, { start, end, limit: maxChanges, order: 'ascending' }, signal),
        // The provisioned amount at the start of the range.
        read(scope, metric, { start: 0, end: start, limit: 1, order: 'descending' }, signal),
      ])
      return stepsOf(changes, earlier[0]?.amount ?? 0, range, Date.now() / 1000)
    },
    placeholderData: (previous, previousQuery) =>
      (previousQuery?.queryKey[1] as { subject?: string } | undefined)?.subject === subject
        ? previous
        : undefined,
    gcTime: keptMs,
  })

interface Wanted {
  start: number
  end: number
  limit: number
  order: 'ascending' | 'descending'
}

async function read(
  scope: Scope,
  metric: ProvisioningMetric,
  { start, end, limit, order }: Wanted,
  signal: AbortSignal,
): Promise<Change[]> {
  const path = { metricName: metric }
  const query = { startTime: dateOf(start), endTime: dateOf(end), limit, order }
  const { data } =
    scope.of === 'fleet'
      ? await call(
          op.systemMetric,
          { path, query: { ...query, ...(scope.silo && { silo: scope.silo }) } },
          { signal },
        )
      : await call(
          op.siloMetric,
          { path, query: { ...query, ...(scope.project && { project: scope.project }) } },
          { signal },
        )
  return data.items.flatMap(changeOf)
}

type Item = OutputOf<'siloMetric'>['items'][number]

const changeOf = ({ timestamp, datum }: Item): Change[] =>
  datum.type === 'i64' ? [{ time: timestamp.getTime() / 1000, amount: datum.datum }] : []

const dateOf = (seconds: number): Date => new Date(seconds * 1000)
