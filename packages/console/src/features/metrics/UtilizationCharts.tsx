import type { ProvisioningMetric } from '@gantry/api/metrics/metric.rules'
import { useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Capacity } from '#/features/utilization/capacities.ts'
import type { ChartRange } from '#/ui/chart/chart.ts'
import { formatDate } from '#/ui/data/format.ts'
import { ChartCard } from './ChartCard.tsx'
import { type Forecast, forecastOf } from './forecast.ts'
import { RangeControls } from './RangeControls.tsx'
import { type Preset, rangeOf, slideSteps } from './time-range.ts'
import { useTimeRange } from './use-time-range.ts'
import { provisioned, stepChart } from './utilization-data.ts'
import { provisionedIn, type Scope } from './utilization-queries.ts'

interface Props {
  scope: Scope
  /** Selects a part of the scope. */
  picker: ReactNode
  /** The quotas of the scope, in the order of the charts; without them there is no forecast. */
  capacities?: readonly Capacity[] | undefined
}

const presets: readonly { value: Preset; label: string }[] = [
  { value: 'hour', label: 'Last hour' },
  { value: '3-hours', label: 'Last 3 hours' },
  { value: 'day', label: 'Last day' },
  { value: 'week', label: 'Last week' },
  { value: 'month', label: 'Last 30 days' },
]

/** Provisioned resources over time, with a forecast. */
export function UtilizationCharts({ scope, picker, capacities }: Props) {
  const control = useTimeRange(slideSteps.changes)
  const { start, end, preset } = control.range
  const range: ChartRange = [start, end]
  const subject = `${JSON.stringify(scope)} ${preset ?? `${start} to ${end}`}`
  const reads = useQueries({
    queries: provisioned.map(({ metric }) => provisionedIn(scope, metric, range, subject)),
  })
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {picker}
        <RangeControls
          control={control}
          presets={presets}
          isFetching={reads.some(({ isFetching }) => isFetching)}
          onRefresh={() => {
            // A preset slides, which reads its new range.
            if (preset === undefined) for (const { refetch } of reads) void refetch()
          }}
        />
      </div>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2 2xl:grid-cols-3">
        {provisioned.map(({ metric, title, unit }, index) => {
          const { data, error, refetch } = reads[index] ?? {}
          const quota = capacities?.[index]?.quota
          return (
            <div key={metric} className="min-w-0 space-y-1">
              <ChartCard
                title={title}
                subtitle="Provisioned"
                unit={unit.label}
                data={data && (data.length > 0 ? stepChart(title, data, unit) : null)}
                failure={error ?? undefined}
                range={range}
                syncKey="utilization"
                onZoom={control.setCustom}
                onRetry={() => void refetch?.()}
              />
              {quota !== undefined && <ForecastLine scope={scope} metric={metric} quota={quota} />}
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface ForecastProps {
  scope: Scope
  metric: ProvisioningMetric
  /** In the unit of the metric: CPUs or bytes. */
  quota: number
}

/** The pace changes slowly. */
const validMs = 5 * 60_000

/** A sentence that says when the quota will be used up at the pace of the last 30 days. */
function ForecastLine({ scope, metric, quota }: ForecastProps) {
  const [now] = useState(() => Date.now() / 1000)
  // Whole minutes, so that a page opened again soon shares the answer.
  const { start, end } = rangeOf({ range: 'month' }, now, slideSteps.means)
  const { data } = useQuery({
    ...provisionedIn(scope, metric, [start, end], 'forecast'),
    staleTime: validMs,
  })
  return <p className="min-h-10 text-sm text-muted">{data ? sentenceOf(forecastOf(data, quota)) : null}</p>
}

function sentenceOf(forecast: Forecast): string {
  const date = (seconds: number) => formatDate(new Date(seconds * 1000))
  switch (forecast.kind) {
    case 'already-full':
      return 'The quota is used up.'
    case 'not-growing':
      return 'At the pace of the last 30 days, the quota lasts at least 5 years.'
    case 'too-little-data':
      return 'Too little data for a forecast, which needs 3 days of use.'
    case 'full': {
      const band = forecast.latest
        ? `between ${date(forecast.earliest)} and ${date(forecast.latest)}`
        : `${date(forecast.earliest)} at the earliest`
      return `At the pace of the last 30 days, the quota will be used up around ${date(forecast.at)} (90% range: ${band}).`
    }
  }
}
