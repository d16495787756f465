import { isLonger } from '@gantry/api/base/text.rules'
import type { OfProjectKind } from '@gantry/api/filter/list-kinds.rules'
import { timeseriesQueryMax } from '@gantry/api/metrics/metric.rules'
import { type ThresholdComparison, watchRules } from '@gantry/api/metrics/metric-query.rules'
import { thresholdUnit } from '@gantry/api/metrics/threshold-words.rules'
import type { Failure } from '#/data/failure.ts'
import { roundTo2 } from '#/ui/data/format.ts'
import type { SavedQuery, Threshold } from './queries.ts'

type QuerySource = 'timeseries' | 'filter'

/** What a list passes on to the form, by the URL. */
export interface FilterSearch {
  filterOf?: string
  filter?: string
}

/** The form's values, in display units. */
export interface QueryValues {
  name: string
  description: string
  source: QuerySource
  /** Of timeseries. */
  query: string
  /** Of lists. */
  filterOf: OfProjectKind
  filter: string
  isWatched: boolean
  comparison: ThresholdComparison
  value: number | null
  minutes: number | null
}

const defaults = {
  source: 'timeseries',
  isWatched: false,
  comparison: 'above',
  value: 90,
  minutes: 5,
} as const

const projectExample =
  'get virtual_machine:vcpu_usage | filter timestamp > @now() - 5m && state == "run" | align mean_within(1m) | group_by [instance_id], mean'
const fleetExample = 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1'

export const newValues = (
  project: string | undefined,
  { filterOf, filter }: FilterSearch = {},
): QueryValues => ({
  name: '',
  description: '',
  query: project === undefined ? fleetExample : projectExample,
  // The server refuses what is none, and the form has a choice of all.
  filterOf: (filterOf as OfProjectKind | undefined) ?? 'instance',
  filter: filter ?? '',
  ...defaults,
  // From a list, an alert is what the form is for.
  ...(filter !== undefined && { source: 'filter', isWatched: true, value: 0 }),
})

export function valuesOf({ name, description, query, filterOf, threshold }: SavedQuery): QueryValues {
  const own = {
    ...defaults,
    name,
    description,
    query,
    filterOf: filterOf ?? 'instance',
    filter: query,
    ...(filterOf && { source: 'filter' as const }),
  }
  if (!threshold) return own
  const { comparison, value, forSeconds } = threshold
  const factor = factorOf(own)
  return {
    ...own,
    isWatched: true,
    comparison,
    value: precise(value / factor),
    // A hundredth of a minute is less than the second that `bodyOf` rounds to.
    minutes: roundTo2(forSeconds / 60),
  }
}

/** Without the last digits of binary fractions: 0.07 times ten million is 700000.0000000001. */
const precise = (value: number): number => Number(value.toPrecision(15))

const factorOf = ({ source, query }: Pick<QueryValues, 'source' | 'query'>): number =>
  source === 'filter' ? 1 : (thresholdUnit(query)?.factor ?? 1)

/** The request body of a change, which leaves what the query is of. */
export function bodyOf({ name, description, isWatched, ...values }: QueryValues) {
  const { source, filter, comparison, value, minutes } = values
  const query = source === 'filter' ? filter : values.query
  const threshold: Threshold | null = isWatched
    ? {
        comparison,
        value: precise((value ?? 0) * factorOf(values)),
        forSeconds: Math.round((minutes ?? 0) * 60),
      }
    : null
  return { name, description, query: query.trim(), threshold }
}

export const newBodyOf = (values: QueryValues) => ({
  ...bodyOf(values),
  filterOf: values.source === 'filter' ? values.filterOf : null,
})

export const queryProblem = (text: string): string | undefined =>
  isLonger(text.trim(), timeseriesQueryMax)
    ? `A query has at most ${timeseriesQueryMax.toLocaleString()} characters`
    : undefined

export const valueProblem = (value: number | null): string | undefined =>
  value === null ? 'Value is required' : undefined

const minutesMax = watchRules.forSecondsMax / 60
export const minutesProblem = (minutes: number | null): string | undefined => {
  if (minutes === null) return 'Duration is required'
  return minutes < 0 || minutes > minutesMax ? `Enter 0 to ${minutesMax} minutes` : undefined
}

/** The field that a refusal concerns: a syntax error has a line in a query, and a range in a filter. */
export function refusedField({ message, details }: Failure): 'query' | 'filter' | undefined {
  const place = typeof details === 'object' && details !== null ? details : {}
  if ('from' in place) return 'filter'
  return 'line' in place || /^(queries|query|timeseries)\b/i.test(message) ? 'query' : undefined
}
