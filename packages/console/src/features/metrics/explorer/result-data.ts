import { axisTop } from '#/ui/chart/axis.ts'
import type { ChartData, ChartRange } from '#/ui/chart/chart.ts'
import type { MetricTable } from '../chart-data.ts'
import { type Unit, unitFor } from '../units.ts'

/** One series: a line of a chart, or values that a chart cannot draw. */
interface ResultSeries {
  label: string
  /** Seconds since 1970, ascending. */
  times: readonly number[]
  values: readonly unknown[]
  /** Whether the values are numbers. */
  isDrawable: boolean
}

/** Every timeseries of a result, and each dimension of a joined one. */
export const seriesIn = (tables: readonly MetricTable[]): ResultSeries[] =>
  tables.flatMap(({ name, timeseries }) =>
    timeseries.flatMap(({ fields, points }) => {
      const times = points.timestamps.map((text) => Date.parse(text) / 1000)
      const where = fieldText(fields)
      // The name of a joined table lists its dimensions, separated by commas.
      const names = points.values.length > 1 ? name.split(',') : [name]
      return points.values.map(({ values }, index) => ({
        label: [names[index] ?? name, where].filter(Boolean).join(' '),
        times,
        values: values.values as readonly unknown[],
        isDrawable: values.type === 'integer' || values.type === 'double',
      }))
    }),
  )

type Fields = MetricTable['timeseries'][number]['fields']

const fieldText = (fields: Fields): string =>
  Object.entries(fields)
    .map(([field, { value }]) => `${field}=${String(value)}`)
    .join(' ')

/** A chart has this many colours. */
const drawnMax = 5

export interface ResultChart {
  data: ChartData
  range: ChartRange
  unit: Unit
  drawn: number
  /** Timeseries omitted from the chart. */
  leftOut: number
}

/** A chart of the first numeric timeseries. Undefined if there are no numbers. */
export function chartIn(series: readonly ResultSeries[], units: string | undefined): ResultChart | undefined {
  const drawable = series.filter(
    ({ isDrawable, values }) => isDrawable && values.some((value) => typeof value === 'number'),
  )
  const drawn = drawable.slice(0, drawnMax)
  const times = [...new Set(drawn.flatMap((each) => [...each.times]))].sort((one, other) => one - other)
  const [first] = times
  const last = times.at(-1)
  if (first === undefined || last === undefined) return undefined
  const lines = drawn.map(({ label, ...each }) => ({ label, values: valuesAt(each, times) }))
  const largest = lines.reduce(
    (top, { values }) => values.reduce<number>((max, value) => Math.max(max, value ?? 0), top),
    0,
  )
  const unit = unitFor(units === 'bytes' ? 'bytes' : 'count', largest)
  const { tick, value, divisor } = unit
  return {
    unit,
    drawn: drawn.length,
    leftOut: series.length - drawn.length,
    range: first === last ? [first - 1, last + 1] : [first, last],
    data: {
      times,
      series: distinct(lines).map(({ label, values }) => ({
        label,
        values: values.map((each) => (each === null ? null : each / divisor)),
      })),
      top: axisTop(largest / divisor),
      tick,
      value,
    },
  }
}

function valuesAt({ times, values }: Pick<ResultSeries, 'times' | 'values'>, wanted: readonly number[]) {
  const known = new Map(times.map((time, index) => [time, values[index]]))
  return wanted.map((time) => {
    const value = known.get(time)
    return typeof value === 'number' ? value : null
  })
}

/** Labels without their common fields, to show where they differ. */
function distinct<Line extends { label: string }>(lines: readonly Line[]): Line[] {
  if (lines.length < 2) return [...lines]
  const words = lines.map(({ label }) => label.split(' '))
  const shared = new Set(words[0]?.filter((word) => words.every((each) => each.includes(word))))
  return lines.map((line, index) => {
    const own = words[index]?.filter((word) => !shared.has(word)).join(' ')
    return { ...line, label: own || `${line.label} (${index + 1})` }
  })
}

/** Maximum of table rows: nobody reads more, and the layout would take long. */
const rowsMax = 200

export interface ResultRow {
  key: string
  time: Date
  label: string
  value: string
}

/** The newest points of all timeseries, newest first, and their total number. */
export function rowsIn(series: readonly ResultSeries[]): { rows: ResultRow[]; points: number } {
  const newest = series.flatMap(({ label, times, values }, index) =>
    times.slice(-rowsMax).map((time, at) => {
      const value = values[Math.max(0, times.length - rowsMax) + at]
      return { key: `${index} ${time}`, time, label, value }
    }),
  )
  const rows = newest
    .sort((one, other) => other.time - one.time)
    .slice(0, rowsMax)
    .map(({ time, value, ...row }) => ({ ...row, time: new Date(time * 1000), value: valueText(value) }))
  return { rows, points: series.reduce((sum, { times }) => sum + times.length, 0) }
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'No data'
  if (typeof value === 'number') return value.toLocaleString(undefined, { maximumFractionDigits: 3 })
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  // Shows the quantiles of a distribution: counts alone would not say where the values lie.
  const { min, p50, p90, p99, max } = value as Partial<Record<string, unknown>>
  return Object.entries({ min, p50, p90, p99, max })
    .flatMap(([name, each]) => (typeof each === 'number' ? [`${name} ${each.toLocaleString()}`] : []))
    .join(', ')
}
