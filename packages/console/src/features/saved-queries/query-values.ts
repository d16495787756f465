import { isLonger } from '@gantry/api/base/text.rules'
import { timeseriesQueryMax } from '@gantry/api/metrics/metric.rules'
import { type ThresholdComparison, watchRules } from '@gantry/api/metrics/metric-query.rules'
import { thresholdUnit } from '@gantry/api/metrics/threshold-words.rules'
import type { Failure } from '#/data/failure.ts'
import { roundTo2 } from '#/ui/data/format.ts'
import type { SavedQuery, Threshold } from './queries.ts'

/** The form's values, in display units. */
export interface QueryValues {
  name: string
  description: string
  query: string
  isWatched: boolean
  comparison: ThresholdComparison
  value: number | null
  minutes: number | null
}

const defaults = { isWatched: false, comparison: 'above', value: 90, minutes: 5 } as const

const projectExample =
  'get virtual_machine:vcpu_usage | filter timestamp > @now() - 5m && state == "run" | align mean_within(1m) | group_by [instance_id], mean'
const fleetExample = 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1'

export const newValues = (project: string | undefined): QueryValues => ({
  name: '',
  description: '',
  query: project === undefined ? fleetExample : projectExample,
  ...defaults,
})

export function valuesOf({ name, description, query, threshold }: SavedQuery): QueryValues {
  const own = { name, description, query }
  if (!threshold) return { ...own, ...defaults }
  const { comparison, value, forSeconds } = threshold
  const factor = thresholdUnit(query)?.factor ?? 1
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

/** The request body. */
export function bodyOf({ name, description, query, isWatched, ...values }: QueryValues) {
  const { comparison, value, minutes } = values
  const threshold: Threshold | null = isWatched
    ? {
        comparison,
        value: precise((value ?? 0) * (thresholdUnit(query)?.factor ?? 1)),
        forSeconds: Math.round((minutes ?? 0) * 60),
      }
    : null
  return { name, description, query: query.trim(), threshold }
}

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

/** The field that a refusal concerns: a syntax error in the query has a position. */
export const refusedField = ({ message, details }: Failure): 'query' | undefined =>
  (typeof details === 'object' && details !== null && 'line' in details) ||
  /^(queries|query|timeseries)\b/i.test(message)
    ? 'query'
    : undefined
