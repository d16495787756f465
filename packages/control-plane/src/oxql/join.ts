import { OxqlError } from './oxql-error.ts'
import { pointsAt, type Series, type Table } from './series.ts'

/** A natural inner join on all fields and on time. */
export function joinedSeries(tables: readonly Table[]): Series[] {
  const [first, ...rest] = tables
  if (!first) return []
  const known = new Set(first.series.map(({ key }) => key))
  const result = new Map(first.series.map((series) => [series.key, series]))
  for (const { series } of rest)
    for (const other of series) {
      if (!known.has(other.key))
        throw new OxqlError(
          `Join failed, input table 1 does not contain a timeseries with key ${other.key}`,
          undefined,
          'Filter all subqueries by the same fields.',
        )
      // Already dropped when an earlier table shares no time with the first.
      const left = result.get(other.key)
      const both = left && side(left, other)
      if (both) result.set(other.key, both)
      else result.delete(other.key)
    }
  return [...result.values()]
}

function side(left: Series, right: Series): Series | undefined {
  const places = new Map(right.timestamps.map((timestamp, index) => [timestamp, index]))
  const shared = [...left.timestamps.keys()].filter((index) => places.has(left.timestamps[index] ?? NaN))
  const kept = pointsAt(left, shared)
  if (!kept) return undefined
  const matching = pointsAt(
    right,
    kept.timestamps.map((timestamp) => places.get(timestamp) ?? 0),
  )
  return matching && { ...kept, values: [...kept.values, ...matching.values] }
}
