import type { ProvisioningMetric } from '@gantry/api/metric.rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '#/ui/format.ts'
import { type Forecast, forecastOf } from './forecast.ts'
import { rangeOf } from './time-range.ts'
import { provisionedIn, type Scope } from './utilization-queries.ts'

interface Props {
  scope: Scope
  metric: ProvisioningMetric
  /** In the unit of the metric: CPUs or bytes. */
  quota: number
}

/** The pace changes slowly. */
const validMs = 5 * 60_000

/** When the quota is full at the pace of the last 30 days, in a sentence. */
export function ForecastLine({ scope, metric, quota }: Props) {
  const [now] = useState(() => Date.now() / 1000)
  const { start, end } = rangeOf({ range: 'month' }, now)
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
      return 'At the pace of the last 30 days, the quota does not fill up in the next 5 years.'
    case 'too-little-data':
      return 'Too little data for a forecast: it takes 3 days of use.'
    case 'full': {
      const band = forecast.latest
        ? `between ${date(forecast.earliest)} and ${date(forecast.latest)}`
        : `${date(forecast.earliest)} at the earliest`
      return `At the pace of the last 30 days, the quota is full around ${date(forecast.at)} (90% range: ${band}).`
    }
  }
}
