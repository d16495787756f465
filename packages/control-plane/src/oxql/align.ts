import type { Datum, Micros } from './model.ts'
import { OxqlError } from './oxql-error.ts'
import type { Series } from './series.ts'

const maxUpsampling = 100

interface Grid {
  /** The end of the query, from which the output times count back. */
  end: Micros
  period: number
}

/** The output times of a timeseries with this first sample; at most none. */
export const outputCount = (first: Micros, { end, period }: Grid): number =>
  Math.max(0, Math.floor((end - first) / period) + 1)

/** The mean of the points in each period before an output time (reference B 20.8). */
export function meanWithin(series: Series, grid: Grid): Series | undefined {
  const { end, period } = grid
  const [first = Infinity] = series.timestamps
  const count = outputCount(first, grid)
  refuseUpsampling(series.timestamps, period)
  if (count === 0) return undefined
  const timestamps = Array.from({ length: count }, (_, index) => end - (count - 1 - index) * period)
  const values = series.startTimes
    ? deltaMeans(series, series.startTimes, timestamps, period)
    : gaugeMeans(series, timestamps, period)
  return { ...series, startTimes: null, epochs: null, timestamps, values: [values] }
}

function refuseUpsampling(timestamps: readonly Micros[], period: number): void {
  let previous = Infinity
  for (const timestamp of timestamps) {
    if (timestamp - previous > maxUpsampling * period)
      throw new OxqlError(
        `A table alignment operation may not upsample data by more than a factor of ${maxUpsampling}`,
        undefined,
        'Choose a longer period.',
      )
    previous = timestamp
  }
}

/** Missing samples count in the divisor. */
function gaugeMeans(series: Series, outputs: readonly Micros[], period: number): Datum[] {
  const { timestamps } = series
  let next = 0
  return outputs.map((output) => {
    let [sum, present, points] = [0, 0, 0]
    for (; next < timestamps.length; next++) {
      const timestamp = timestamps[next] ?? Infinity
      if (timestamp > output) break
      if (timestamp <= output - period) continue
      const value = numberAt(series, next)
      points++
      if (value === null) continue
      sum += value
      present++
    }
    return present === 0 ? null : sum / points
  })
}

/** The share of each point's amount that falls into the window, divided by the points that end in it. */
function deltaMeans(
  series: Series,
  startTimes: readonly Micros[],
  outputs: readonly Micros[],
  period: number,
): Datum[] {
  const { timestamps } = series
  let next = 0
  return outputs.map((output) => {
    const begin = output - period
    while ((timestamps[next] ?? Infinity) <= begin) next++
    let [sum, present, points] = [0, 0, 0]
    // Intervals do not overlap, so that only the last one can reach into the next window.
    for (let at = next; (startTimes[at] ?? Infinity) < output || timestamps[at] === output; at++) {
      const timestamp = timestamps[at] ?? Infinity
      const start = startTimes[at] ?? timestamp
      if (timestamp <= output) points++
      const value = numberAt(series, at)
      if (value === null) continue
      sum += value * share(start, timestamp, begin, output)
      present++
    }
    return present === 0 ? null : sum / Math.max(1, points)
  })
}

/** A counter sampled when it began has an interval without length, which lies in one window whole. */
function share(start: Micros, timestamp: Micros, begin: Micros, end: Micros): number {
  if (start === timestamp) return 1
  return (Math.min(timestamp, end) - Math.max(start, begin)) / (timestamp - start)
}

function numberAt({ values }: Series, index: number): number | null {
  const value = values[0]?.[index]
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
}
