import type { ChartRange } from '#/ui/chart/chart.ts'
import { stepOf } from './time-range.ts'

/** One timeseries over the page's range, summed over all fields not in `groupBy`. */
export interface MetricQuery {
  /** As in `virtual_disk:reads`. */
  metric: string
  /** Field values; fields without a value are omitted. */
  where: Readonly<Record<string, string | undefined>>
  groupBy?: readonly string[]
}

/** Extra windows before the range: a counter's first point holds its total and is dropped. */
const windowsBefore = 2

/** The stages of a query, `get` first (console reference B 7.2). */
function stagesOf({ metric, where, groupBy }: MetricQuery, range: ChartRange): string[][] {
  const step = stepOf(range)
  const [start, end] = range
  const filters = [
    `timestamp >= @${moment(start - windowsBefore * step)}`,
    `timestamp < @${moment(end)}`,
    ...Object.entries(where).flatMap(([field, value]) => (value ? [`${field} == "${value}"`] : [])),
  ]
  return [
    [`get ${metric}`],
    [`filter ${filters[0]}`, ...filters.slice(1)],
    [`align mean_within(${step}s)`],
    ...(groupBy ? [[`group_by [${groupBy.join(', ')}], sum`]] : []),
  ]
}

/** UTC without a time zone, as the language requires. */
const moment = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('Z', '')

/** On one line, for the request. */
export const queryText = (query: MetricQuery, range: ChartRange): string =>
  stagesOf(query, range)
    .map((parts) => parts.join(' && '))
    .join(' | ')

/** On several lines, for reading. */
export const queryLines = (query: MetricQuery, range: ChartRange): string =>
  stagesOf(query, range)
    .map((parts, index) => (index === 0 ? '' : '  | ') + parts.join('\n      && '))
    .join('\n')

/** Several queries as one, which returns a table for each, in this order. */
export const groupText = (texts: readonly string[]): string =>
  texts.length === 1 ? (texts[0] ?? '') : `{ ${texts.join('; ')} }`
