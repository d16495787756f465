import type { OutputOf } from '@gantry/api/client/client'
import { csvLine } from '#/kit/list/csv.ts'
import { vcpuShare } from '#/kit/page/vcpu-share.ts'
import { axisTop } from '#/ui/chart/axis.ts'
import type { ChartData, ChartSeries } from '#/ui/chart/chart.ts'
import { type Unit, unitFor, type UnitKind } from './units.ts'

export type MetricTable = OutputOf<'timeseriesQuery'>['tables'][number]

/** Sums over the series of a table, at times in seconds since 1970. */
interface Points {
  times: number[]
  values: (number | null)[]
  seriesCount: number
}

/**
 * One value per time: the sum over all series, null where none has a number. Series may begin at different times. The
 * first time is dropped, because a counter's first point holds its total (console reference B 7.4).
 */
export function pointsOf(table: MetricTable | undefined): Points {
  const sums = new Map<number, number | null>()
  const series = table?.timeseries ?? []
  for (const { points } of series) {
    const found = points.values[0]?.values
    const numbers: readonly unknown[] = found?.values ?? []
    points.timestamps.forEach((timestamp, index) => {
      const time = Date.parse(timestamp) / 1000
      const value = numbers[index]
      const sum = sums.get(time) ?? null
      sums.set(time, typeof value === 'number' ? (sum ?? 0) + value : sum)
    })
  }
  const times = [...sums.keys()].toSorted((one, other) => one - other).slice(1)
  return { times, values: times.map((time) => sums.get(time) ?? null), seriesCount: series.length }
}

/** Nanoseconds per sample and vCPU as a share of the elapsed time. */
export function percentOf({ times, values, seriesCount }: Points): Points {
  return { times, seriesCount, values: vcpuShare(values, seriesCount) }
}

interface Shown {
  label: string
  kind: UnitKind
  points: Points
  /** The previous period, already shifted to these times. */
  before?: Points | undefined
}

/** Undefined if there is nothing to draw: no points, or none with a number. */
export function chartOf({ label, kind, points, before }: Shown): { data: ChartData; unit: Unit } | undefined {
  const { times, values } = points
  if (!values.some((value) => value !== null)) return undefined
  const earlier = before && valuesAt(before, times)
  const largest = Math.max(0, ...[...values, ...(earlier ?? [])].flatMap((value) => value ?? []))
  const unit = unitFor(kind, largest)
  const scaled = (all: readonly (number | null)[]) =>
    all.map((value) => (value === null ? null : value / unit.divisor))
  const series: ChartSeries[] = [{ label, values: scaled(values) }]
  if (earlier) series.push({ label: 'Period before', values: scaled(earlier), isReference: true })
  const { tick, value } = unit
  const top = axisTop(largest / unit.divisor)
  // Other units say in their names what the numbers were divided by.
  const factor = kind === 'count' ? unit.divisor : 1
  return { unit, data: { times, series, top, tick, value, factor } }
}

function valuesAt({ times, values }: Points, wanted: readonly number[]): (number | null)[] {
  const known = new Map(times.map((time, index) => [time, values[index] ?? null]))
  return wanted.map((time) => known.get(time) ?? null)
}

/** Shifts the points of an earlier period to the current one. */
export const movedBy = ({ times, ...rest }: Points, seconds: number): Points => ({
  ...rest,
  times: times.map((time) => time + seconds),
})

/** Without the error of dividing and multiplying again. */
const exact = (value: number | null | undefined, factor: number): number | '' =>
  value == null ? '' : factor === 1 ? value : Number((value * factor).toPrecision(15))

/** The numbers of a chart for spreadsheets, one line per time. `unit` follows the name of each series. */
export function chartCsv({ times, series, factor = 1 }: ChartData, unit: string): string {
  const head = ['Time', ...series.map(({ label }) => `${label} (${unit})`)]
  const lines = times.map((time, index) => [
    new Date(time * 1000).toISOString(),
    ...series.map(({ values }) => exact(values[index], factor)),
  ])
  return [head, ...lines].map(csvLine).join('\r\n')
}
