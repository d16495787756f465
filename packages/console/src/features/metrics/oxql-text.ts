import type { ChartRange } from '#/ui/chart/chart.ts'
import { stepOf } from './time-range.ts'

/** One timeseries over the range of a page, summed over what `groupBy` does not name. */
export interface MetricQuery {
  /** As in `virtual_disk:reads`. */
  metric: string
  /** Values of fields; those without a value are left out. */
  where: Readonly<Record<string, string | undefined>>
  groupBy?: readonly string[]
}

/** Windows before the range: the first point of a counter holds its total and is dropped. */
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

/** UTC without a zone, as the language takes it. */
const moment = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('Z', '')

/** On one line, as it is sent. */
export const queryText = (query: MetricQuery, range: ChartRange): string =>
  stagesOf(query, range)
    .map((parts) => parts.join(' && '))
    .join(' | ')

/** Over several lines, to be read. */
export const queryLines = (query: MetricQuery, range: ChartRange): string =>
  stagesOf(query, range)
    .map((parts, index) => (index === 0 ? '' : '  | ') + parts.join('\n      && '))
    .join('\n')

/** Several queries as one, which answers with a table for each, in this order. */
export const groupText = (texts: readonly string[]): string =>
  texts.length === 1 ? (texts[0] ?? '') : `{ ${texts.join('; ')} }`
