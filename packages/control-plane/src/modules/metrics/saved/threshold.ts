import type { MetricBreach, MetricThreshold } from '@gantry/api/metrics/metric-query'
import { type WatchState, watchRules } from '@gantry/api/metrics/metric-query.rules'
import type { Fields, OxqlTable } from '@gantry/control-plane/oxql/model'
import { invalid } from '@gantry/control-plane/context/refusal'

type BreachFields = MetricBreach['fields']

/** The newest value of one timeseries. */
export interface Newest {
  fields: BreachFields
  value: number
}

/** The newest value of each current timeseries. Refuses a result that cannot be compared with a number. */
export function newestValues(tables: readonly OxqlTable[], now: number): Newest[] {
  if (tables.length > 1)
    throw invalid(
      'a threshold is compared with one table',
      `This query answers with ${tables.length}. Save a query for each.`,
    )
  const oldest = now - watchRules.staleSeconds * 1000
  return tables.flatMap(({ timeseries }) =>
    timeseries.flatMap(({ fields, points: { timestamps, values } }) => {
      const [dimension, second] = values
      if (!dimension) return []
      const { type, values: column } = dimension.values
      if (second || (type !== 'integer' && type !== 'double'))
        throw invalid(
          'a threshold is compared with one number for each time',
          second
            ? `This query answers with ${values.length}. Leave out the join.`
            : `This query answers with values of type ${type}.`,
        )
      const at = column.findLastIndex((value) => value !== null)
      const value = column[at]
      if (typeof value !== 'number' || Date.parse(timestamps[at] ?? '') < oldest) return []
      return { fields: plainFields(fields), value }
    }),
  )
}

const plainFields = (fields: Fields): BreachFields =>
  Object.entries(fields)
    .map(([name, { value }]) => ({ name, value: String(value) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const isBeyond = ({ comparison, value }: MetricThreshold, given: number): boolean =>
  comparison === 'above' ? given > value : given < value

const keyOf = ({ fields }: { fields: BreachFields }): string => JSON.stringify(fields)

/** The result of the previous evaluation. */
interface Before {
  breaches: readonly MetricBreach[]
  evaluated: Date | null
}

/**
 * The next state, from the newest values. A single timeseries must be beyond the threshold for the whole duration. After a pause in evaluation the duration starts over, but a firing timeseries stays firing.
 */
export function evaluateThreshold(
  threshold: MetricThreshold,
  newest: readonly Newest[],
  before: Before,
  now: Date,
): { state: WatchState; breaches: MetricBreach[] } {
  const sinceLast = now.getTime() - (before.evaluated?.getTime() ?? -Infinity)
  const wasWatched = sinceLast >= 0 && sinceLast <= watchRules.staleSeconds * 1000
  const known = new Map(before.breaches.map((breach) => [keyOf(breach), breach]))
  const breaches = newest
    .filter(({ value }) => isBeyond(threshold, value))
    .map(({ fields, value }): MetricBreach => {
      const earlier = known.get(keyOf({ fields }))
      const since = earlier && (wasWatched || earlier.is_firing) ? earlier.since : now.toISOString()
      const is_firing =
        earlier?.is_firing === true || now.getTime() - Date.parse(since) >= threshold.for_seconds * 1000
      return { fields, value, since, is_firing }
    })
    // Firing timeseries come first; the order is stable otherwise.
    .sort((a, b) => Number(b.is_firing) - Number(a.is_firing) || (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, watchRules.breachesKept)
  return { state: stateOf(newest, breaches), breaches }
}

function stateOf(newest: readonly Newest[], breaches: readonly MetricBreach[]): WatchState {
  if (newest.length === 0) return 'no_data'
  if (breaches.some(({ is_firing }) => is_firing)) return 'firing'
  return breaches.length > 0 ? 'pending' : 'ok'
}
