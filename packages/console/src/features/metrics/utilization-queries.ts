import * as op from '@gantry/api/client/operations.gen'
import type { InputOf, OutputOf } from '@gantry/api/client/client'
import type { ProvisioningMetric } from '@gantry/api/metrics/metric.rules'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import type { ChartRange } from '#/ui/chart/chart.ts'
import { type Change, stepsOf } from './utilization-data.ts'

/** The measured scope: the fleet or one of its silos, or the user's silo or one of its projects. */
export type Scope = { of: 'fleet'; silo?: string | undefined } | { of: 'silo'; project?: string | undefined }

/** Changes of one request (console reference C 13.2). */
const pageSize = 3000
/** A month with a change every ten seconds, the most that the control plane records. */
const maxPages = 90
/** For ranges that a sliding page no longer shows. */
const keptMs = 60_000

/** The provisioned amounts in a range, as steps. */
export const provisionedIn = (scope: Scope, metric: ProvisioningMetric, range: ChartRange, subject: string) =>
  queryOptions<Change[], Failure>({
    queryKey: ['provisioned', { scope, metric, range, subject }],
    queryFn: async ({ signal }) => {
      const [start] = range
      const [{ changes, until }, earlier] = await Promise.all([
        changesIn(scope, metric, range, signal),
        // The provisioned amount at the start of the range.
        read(scope, metric, { ...timesOf([0, start]), limit: 1, order: 'descending' }, signal),
      ])
      const [before] = earlier.items.flatMap(changeOf)
      return stepsOf(changes, before?.amount ?? 0, [start, until], Date.now() / 1000)
    },
    placeholderData: (previous, previousQuery) =>
      (previousQuery?.queryKey[1] as { subject?: string } | undefined)?.subject === subject
        ? previous
        : undefined,
    gcTime: keptMs,
  })

/** All changes in a range, in order, and the time up to which they are known. */
async function changesIn(
  scope: Scope,
  metric: ProvisioningMetric,
  range: ChartRange,
  signal: AbortSignal,
): Promise<{ changes: Change[]; until: number }> {
  const [start, end] = range
  const changes: Change[] = []
  let pageToken: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const wanted: Wanted = pageToken ? { pageToken } : { ...timesOf(range), order: 'ascending' }
    const { items, nextPage } = await read(scope, metric, { ...wanted, limit: pageSize }, signal)
    changes.push(...items.flatMap(changeOf))
    if (items.length < pageSize || !nextPage) return { changes, until: end }
    pageToken = nextPage
  }
  return { changes, until: changes.at(-1)?.time ?? start }
}

type Wanted = Pick<
  NonNullable<InputOf<'siloMetric'>['query']>,
  'startTime' | 'endTime' | 'limit' | 'order' | 'pageToken'
>

const timesOf = ([start, end]: ChartRange) => ({
  startTime: new Date(start * 1000),
  endTime: new Date(end * 1000),
})

async function read(
  scope: Scope,
  metric: ProvisioningMetric,
  query: Wanted,
  signal: AbortSignal,
): Promise<OutputOf<'siloMetric'>> {
  const path = { metricName: metric }
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
  return data
}

type Item = OutputOf<'siloMetric'>['items'][number]

const changeOf = ({ timestamp, datum }: Item): Change[] =>
  datum.type === 'i64' ? [{ time: timestamp.getTime() / 1000, amount: datum.datum }] : []
