import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChartMark, ChartRange } from '#/ui/chart/chart.ts'
import { AboutMetric, QueryDialog } from './MetricDialogs.tsx'
import { chartOf, movedBy, percentOf, pointsOf } from './chart-data.ts'
import { ChartCard } from './ChartCard.tsx'
import type { MetricChart } from './instance-charts.ts'
import type { MetricQuery } from './oxql-text.ts'
import { type ChartResult, chartResults } from './queries.ts'
import type { RangeControl } from './use-time-range.ts'

interface Props {
  project: string
  charts: readonly MetricChart[]
  control: RangeControl
  /** The subject of the charts, regardless of the time range. */
  subject: string
}

type Asked = { about: string } | { query: MetricQuery }

/** The data of all charts: one request, plus one for a comparison. */
export function useInstanceCharts({ project, charts, control, subject }: Props) {
  const queries = charts.map(({ query }) => query)
  const { start, end, preset } = control.range
  const range: ChartRange = [start, end]
  const length = end - start
  const whole = `${subject} ${preset ?? `${start} to ${end}`}`
  const now = useQuery(chartResults(project, queries, range, whole))
  const before = useQuery({
    ...chartResults(project, queries, [start - length, start], `${whole} before`),
    enabled: control.isComparing && queries.length > 0,
  })
  return {
    range,
    now,
    before: control.isComparing ? before.data : undefined,
    /** Why the earlier period of some chart is missing. */
    failureBefore: control.isComparing
      ? (before.error ?? before.data?.find(({ failure }) => failure)?.failure)
      : undefined,
    retryBefore: () => void before.refetch(),
  }
}

type Read = ReturnType<typeof useInstanceCharts>

/** Charts in rows of two, each with a menu, with a shared cursor. */
export function InstanceCharts({
  charts,
  control,
  read,
  marks,
}: Pick<Props, 'charts' | 'control'> & { read: Read; marks: readonly ChartMark[] }) {
  const [asked, setAsked] = useState<Asked>()
  const { range, now, before } = read
  const close = () => setAsked(undefined)
  return (
    <>
      <div className={charts.length === 1 ? 'grid' : 'grid grid-cols-1 gap-4 lg:grid-cols-2'}>
        {charts.map((chart, index) => {
          const drawn = drawnOf(chart, now.data?.[index], before?.[index], range)
          return (
            <ChartCard
              key={chart.title}
              title={chart.title}
              subtitle={chart.subtitle}
              unit={drawn?.unit.label}
              data={now.data ? (drawn?.data ?? null) : undefined}
              failure={now.error ?? now.data?.[index]?.failure}
              range={range}
              marks={marks}
              syncKey="instance"
              onZoom={control.setCustom}
              onRetry={() => void now.refetch()}
              entries={() => [
                { label: 'About this metric', onSelect: () => setAsked({ about: chart.query.metric }) },
                { label: 'View OxQL query', onSelect: () => setAsked({ query: chart.query }) },
              ]}
            />
          )
        })}
      </div>
      {asked && 'about' in asked && <AboutMetric metric={asked.about} onClose={close} />}
      {asked && 'query' in asked && <QueryDialog query={asked.query} range={range} onClose={close} />}
    </>
  )
}

function drawnOf(
  { title, kind }: MetricChart,
  result: ChartResult | undefined,
  before: ChartResult | undefined,
  [start, end]: ChartRange,
) {
  const points = tableOf(result, kind)
  if (!points) return undefined
  const earlier = tableOf(before, kind)
  return chartOf({ label: title, kind, points, before: earlier && movedBy(earlier, end - start) })
}

function tableOf(result: ChartResult | undefined, kind: MetricChart['kind']) {
  if (!result || result.failure) return undefined
  const points = pointsOf(result.table)
  return kind === 'percent' ? percentOf(points) : points
}
