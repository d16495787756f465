import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { timeseriesQueryMax } from '@gantry/api/metrics/metric.rules'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import { vcpuShare } from '#/kit/page/vcpu-share.ts'
import type { Instance } from '../queries.ts'

type MetricTable = OutputOf<'timeseriesQuery'>['tables'][number]
/** Per cent of an instance's vCPUs, one value a minute, by the instance's id. */
export type CpuUse = ReadonlyMap<string, readonly (number | null)[]>

export const shownMinutes = 30
/** The poll interval: there is a new value every minute. */
export const cpuUseEveryMs = 60_000

/** The CPU use of a page of instances in one query. Excludes stopped ones, which leaves room for others. */
export function cpuUseOf(project: string, rows: readonly Pick<Instance, 'id' | 'runState'>[]) {
  const ids = rows.flatMap(({ id, runState }) => (runState === 'stopped' ? [] : [id])).toSorted()
  const query = queryOf(ids)
  return queryOptions<CpuUse, Failure>({
    queryKey: ['cpu-use', { project, query }],
    queryFn: async ({ signal }) => {
      if (query === undefined) return new Map()
      const { data } = await call(op.timeseriesQuery, { query: { project }, body: { query } }, { signal })
      return cpuUseIn(data.tables[0])
    },
    placeholderData: (before) => before,
  })
}

/** Reads one minute more than shown, because a counter's first point holds its total. */
const first = `get virtual_machine:vcpu_usage | filter timestamp > @now() - ${shownMinutes + 1}m && state == "run"`
const rest = ' | align mean_within(1m) | group_by [instance_id], mean'

/** Includes as many instances as fit in a query; a page has fewer. */
export function queryOf(ids: readonly string[]): string | undefined {
  const tests = ids.map((id) => `instance_id == "${id}"`)
  const [one = ''] = tests
  const room = timeseriesQueryMax - first.length - rest.length - ' && ()'.length
  const max = Math.floor(room / (one.length + ' || '.length))
  return ids.length === 0 ? undefined : `${first} && (${tests.slice(0, max).join(' || ')})${rest}`
}

/** The values of each instance for every minute; null if it did not run. */
export function cpuUseIn(table: MetricTable | undefined): CpuUse {
  const series = table?.timeseries ?? []
  const times = [...new Set(series.flatMap(({ points }) => points.timestamps))].toSorted().slice(1)
  return new Map(
    series.flatMap(({ fields, points }) => {
      const id = fields.instance_id?.value
      const values: readonly unknown[] = points.values[0]?.values.values ?? []
      const known = new Map(points.timestamps.map((time, index) => [time, values[index]]))
      const all = times.map((time) => {
        const value = known.get(time)
        return typeof value === 'number' ? value : null
      })
      return typeof id === 'string' ? [[id, vcpuShare(all, 1)] as const] : []
    }),
  )
}
