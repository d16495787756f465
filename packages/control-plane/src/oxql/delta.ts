import type { Datum, Distribution, Micros } from './model.ts'
import { OxqlError } from './oxql-error.ts'
import type { Series } from './series.ts'

/**
 * Totals since a start time as the amounts between samples (reference B 20.6). The first sample, and the first
 * after a restart, stay totals since their own start time.
 */
export function deltas(series: Series): Series {
  const { epochs, timestamps } = series
  if (!epochs) return series
  const startTimes: Micros[] = []
  const values: Datum[] = []
  let epoch = NaN
  let previousTime = -Infinity
  let last: Datum = null
  for (let index = 0; index < timestamps.length; index++) {
    const timestamp = timestamps[index] ?? NaN
    const began = epochs[index] ?? NaN
    const value = series.values[0]?.[index] ?? null
    const isRestart = began !== epoch
    if (!(began <= timestamp) || !(timestamp > previousTime) || (isRestart && began < previousTime))
      throw overlapping()
    if (isRestart) last = null
    startTimes.push(isRestart ? began : previousTime)
    values.push(value === null ? null : difference(value, last))
    if (value !== null) last = value
    epoch = began
    previousTime = timestamp
  }
  return { ...series, startTimes, values: [values] }
}

const overlapping = (): OxqlError =>
  new OxqlError('Cannot compute a delta between samples whose time intervals overlap')

function difference(value: Datum, earlier: Datum): Datum {
  if (earlier === null || value === null) return value
  if (typeof value === 'number' && typeof earlier === 'number') return value - earlier
  if (isInteger(value) && isInteger(earlier)) return plain(BigInt(value) - BigInt(earlier))
  if (typeof value === 'object' && typeof earlier === 'object') return distributionDifference(value, earlier)
  throw new OxqlError('Cannot compute a delta between samples of different types')
}

const isInteger = (value: Datum): value is number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value)

const plain = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value

/** Extremes and quantiles of a difference are unknown. */
function distributionDifference(value: Distribution, earlier: Distribution): Distribution {
  if (value.bins.length !== earlier.bins.length || value.bins.some((bin, at) => bin !== earlier.bins[at]))
    throw new OxqlError('Cannot compute a delta between distributions with different bins')
  return {
    bins: value.bins,
    counts: value.counts.map((count, at) => count - (earlier.counts[at] ?? 0)),
    min: null,
    max: null,
    sum_of_samples: value.sum_of_samples - earlier.sum_of_samples,
    squared_mean: (mean(value) - mean(earlier)) ** 2,
    p50: null,
    p90: null,
    p99: null,
  }
}

function mean({ counts, sum_of_samples }: Distribution): number {
  const count = counts.reduce((sum, one) => sum + one, 0)
  return count === 0 ? 0 : sum_of_samples / count
}
