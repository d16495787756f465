import { maxNamedIds } from '@gantry/api/extensions.rules'
import {
  type Field,
  fieldWords,
  isId,
  type ObjectNames,
  wholeField,
} from '#/features/object-names/field-words.ts'
import { axisTop } from '#/ui/chart/axis.ts'
import type { ChartData, ChartRange } from '#/ui/chart/chart.ts'
import type { MetricTable } from '../chart-data.ts'
import { type Unit, unitFor } from '../units.ts'

/** One series: a line of a chart, or values that a chart cannot draw. */
interface ResultSeries {
  name: string
  fields: readonly Field[]
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
      // The name of a joined table lists its dimensions, separated by commas.
      const dimensions = points.values.length > 1 ? name.split(',') : [name]
      return points.values.map(({ values }, index) => ({
        name: dimensions[index] ?? name,
        fields: fieldsOf(fields),
        times,
        values: values.values as readonly unknown[],
        isDrawable: values.type === 'integer' || values.type === 'double',
      }))
    }),
  )

type Fields = MetricTable['timeseries'][number]['fields']

const fieldsOf = (fields: Fields): Field[] =>
  Object.entries(fields).map(([name, { value }]) => ({ name, value: String(value) }))

const wordsOf = ({ name, fields }: ResultSeries, names: ObjectNames): string[] => [
  name,
  ...fields.map((field) => fieldWords(field, names)),
]
/** The fields that the words show by a name, or shortened. */
const idFieldsOf = ({ fields }: ResultSeries): string[] => fields.filter(isId).map(wholeField)

/** The ids in the fields of the first timeseries: as many as one request resolves, out of perhaps thousands. */
export function idsOf(series: readonly ResultSeries[]): string[] {
  const ids = new Set<string>()
  for (const { fields } of series) {
    for (const { value } of fields.filter(isId)) ids.add(value)
    if (ids.size >= maxNamedIds) break
  }
  return [...ids]
}

/** A chart has this many colours. */
const drawnMax = 5

export interface ResultChart {
  data: ChartData
  range: ChartRange
  unit: Unit
  /** The fields of each line that hold ids. */
  ids: readonly (readonly string[])[]
  drawn: number
  /** Timeseries omitted from the chart. */
  leftOut: number
}

/** A chart of the first numeric timeseries. Undefined if there are no numbers. */
export function chartIn(
  series: readonly ResultSeries[],
  units: string | undefined,
  names: ObjectNames = new Map(),
): ResultChart | undefined {
  const drawable = series.filter(
    ({ isDrawable, values }) => isDrawable && values.some((value) => typeof value === 'number'),
  )
  const drawn = drawable.slice(0, drawnMax)
  const times = [...new Set(drawn.flatMap((each) => [...each.times]))].sort((one, other) => one - other)
  const [first] = times
  const last = times.at(-1)
  if (first === undefined || last === undefined) return undefined
  const lines = drawn.map((each) => ({ words: wordsOf(each, names), values: valuesAt(each, times) }))
  const largest = lines.reduce(
    (top, { values }) => values.reduce<number>((max, value) => Math.max(max, value ?? 0), top),
    0,
  )
  const unit = unitFor(units === 'bytes' ? 'bytes' : 'count', largest)
  const { tick, value, divisor } = unit
  return {
    unit,
    ids: drawn.map(idFieldsOf),
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

interface Line {
  words: readonly string[]
  values: readonly (number | null)[]
}

/** Labels without their common fields, to show where they differ; each once. */
function distinct(lines: readonly Line[]): { label: string; values: Line['values'] }[] {
  const isShared = (word: string) => lines.length > 1 && lines.every(({ words }) => words.includes(word))
  const labels = lines.map(
    ({ words }) => words.filter((word) => !isShared(word)).join(' ') || words.join(' '),
  )
  return lines.map(({ values }, index) => {
    const label = labels[index] ?? ''
    const isOnly = labels.indexOf(label) === labels.lastIndexOf(label)
    return { label: isOnly ? label : `${label} (${index + 1})`, values }
  })
}

/** Maximum of table rows: more are of no use, and the layout would take long. */
const rowsMax = 200

export interface ResultRow {
  key: string
  time: Date
  label: string
  /** The fields that hold ids. */
  ids: readonly string[]
  value: string
}

/** The newest points of all timeseries, newest first, and their total number. */
export function rowsIn(
  series: readonly ResultSeries[],
  names: ObjectNames = new Map(),
): { rows: ResultRow[]; points: number } {
  const newest = series.flatMap((of, index) =>
    of.times.slice(-rowsMax).map((time, at) => {
      const value = of.values[Math.max(0, of.times.length - rowsMax) + at]
      return { key: `${index} ${time}`, time, of, value }
    }),
  )
  const rows = newest
    .sort((one, other) => other.time - one.time)
    .slice(0, rowsMax)
    .map(({ key, time, of, value }) => ({
      key,
      time: new Date(time * 1000),
      label: wordsOf(of, names).join(' '),
      ids: idFieldsOf(of),
      value: valueText(value),
    }))
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
