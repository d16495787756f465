import type { Limits } from '../budget.ts'
import { evaluate, type EvaluateOptions } from '../evaluate.ts'
import type { OxqlTable, OxqlTimeseries, TimeseriesSource } from '../model.ts'
import { parseQuery } from '../parse.ts'
import { atSecond, secondOf } from './tables.ts'

export const limits: Limits = { points: 1_000_000, timeseries: 100_000, durationMs: 30_000 }

/** Evaluates a query, at eleven o'clock unless a test says otherwise. */
export const ask = (
  source: TimeseriesSource,
  text: string,
  options: Partial<EvaluateOptions> = {},
): Promise<OxqlTable[]> =>
  evaluate(parseQuery(text), source, {
    now: atSecond(3600),
    limits,
    clock: () => 0,
    ...options,
  })

/** The points of a timeseries as `[second, value]`, or `[start, second, value]` for deltas. */
export function pointsOf({ points }: OxqlTimeseries, dimension = 0): unknown[][] {
  const { start_times, timestamps, values } = points
  return timestamps.map((timestamp, index) => [
    ...(start_times ? [secondOf(start_times[index] ?? '')] : []),
    secondOf(timestamp),
    values[dimension]?.values.values[index],
  ])
}

/** The points of the only timeseries of the only table. */
export async function onlyPoints(...asked: Parameters<typeof ask>): Promise<unknown[][]> {
  const [table, ...tables] = await ask(...asked)
  const [timeseries, ...more] = table?.timeseries ?? []
  if (tables.length > 0 || more.length > 0 || !timeseries) throw new Error('Expected one timeseries')
  return pointsOf(timeseries)
}
