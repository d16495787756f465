import type { Limit } from '@gantry/control-plane/oxql/model'
import { longestRoundSeconds } from '@gantry/control-plane/settings'

/** The samples of one timeseries as columns, in ascending time. Times are in milliseconds. */
export interface Points {
  times: number[]
  /** The start of each total; null for a gauge. */
  starts: number[] | null
  /** Null is a missing sample. */
  values: (number | null)[]
}

/** The resolutions of stored samples, and the windows of their blocks. */
export const resolutions = [
  { resolution: 0, everyMs: undefined, windowMs: 15 * 60_000 },
  { resolution: 1, everyMs: 60_000, windowMs: 6 * 3_600_000 },
  { resolution: 2, everyMs: 3_600_000, windowMs: 7 * 24 * 3_600_000 },
] as const

/** A process that has missed this many rounds has lost the lease. */
export const roundsOfLease = 3
/**
 * A round is stored under the time of its last sample, so samples of a window may be in a raw block that begins after
 * it. The longest round makes up for missed ones.
 */
export const longestRoundMs = roundsOfLease * longestRoundSeconds * 1000

export const windowOf = (at: number, windowMs: number): number => Math.floor(at / windowMs) * windowMs

export const emptyPoints = (isTotal: boolean): Points => ({
  times: [],
  starts: isTotal ? [] : null,
  values: [],
})

/** Appends samples later than all existing ones; others repeat known samples. */
export function appendLater(to: Points, more: Points): void {
  const last = to.times.at(-1) ?? -Infinity
  for (const [index, time] of more.times.entries()) {
    if (time <= last) continue
    to.times.push(time)
    to.starts?.push(more.starts?.[index] ?? time)
    to.values.push(more.values[index] ?? null)
  }
}

/** The samples in `[from, to)`. */
export function between({ times, starts, values }: Points, from: number, to: number): Points {
  const first = times.findIndex((time) => time >= from)
  const end = times.findIndex((time) => time >= to)
  const range = [first === -1 ? times.length : first, end === -1 ? times.length : end] as const
  return {
    times: times.slice(...range),
    starts: starts?.slice(...range) ?? null,
    values: values.slice(...range),
  }
}

/**
 * Downsamples: for a total, the last sample in each step and of each start, so that no restart is lost; for a gauge,
 * the mean, at the time of the step's last sample.
 */
export function downsample({ times, starts, values }: Points, everyMs: number): Points {
  const downsampled = emptyPoints(starts !== null)
  const flush = (from: number, end: number): void => {
    const present = values.slice(from, end).filter((value) => value !== null)
    downsampled.times.push(times[end - 1] ?? 0)
    downsampled.starts?.push(starts?.[end - 1] ?? 0)
    const mean = present.reduce((sum, value) => sum + value, 0) / present.length
    // Rounded to three digits: a mean is no more precise than its samples, and takes half the space.
    const gauge = present.length === 0 ? null : Math.round(mean * 1000) / 1000
    downsampled.values.push(starts ? (present.at(-1) ?? null) : gauge)
  }
  let from = 0
  // A sample at the end of a step belongs to it, as in the windows of the query language.
  const stepOf = (index: number): number => Math.ceil((times[index] ?? 0) / everyMs)
  for (let index = 1; index <= times.length; index++) {
    const same = index < times.length && stepOf(index) === stepOf(from) && starts?.[index] === starts?.[from]
    if (same) continue
    flush(from, index)
    from = index
  }
  return downsampled
}

/**
 * The samples that a reader needs: those from a time on. Of more than a maximum only the first or last ones are spread,
 * so that the memory of a query depends on its limit and not on the length of a history.
 */
export interface Needed {
  from: number
  maxSamples: number
  keeps: Limit['kind']
}
const all: Needed = { from: -Infinity, maxSamples: Infinity, keeps: 'first' }

/**
 * Spreads totals downsampled to `everyMs` over their original sampling times: an aligned mean is per sample, so a
 * query must find the same number of samples at every age. Keeps gaps. Stops once it has more than the maximum.
 */
export function spread(
  points: Points,
  everyMs: number,
  sampledMs: number,
  { from, maxSamples, keeps }: Needed = all,
): Points {
  const { times, starts, values } = points
  if (!starts) return points
  const countAt = (index: number): number => sampleCount(points, index, everyMs, sampledMs)
  const full = emptyPoints(true)
  const push = (time: number, start: number, value: number | null): void => {
    if (time < from) return
    full.times.push(time)
    full.starts?.push(start)
    full.values.push(value)
  }
  let index = 0
  if (keeps === 'last') {
    index = times.length
    for (let count = 0; index > 0 && count <= maxSamples; index--) count += countAt(index - 1)
  }
  for (; index < times.length; index++) {
    if (keeps === 'first' && full.times.length > maxSamples) break
    const [before, last] = [times[index - 1] ?? 0, values[index - 1] ?? 0]
    const [time, value] = [times[index] ?? 0, values[index] ?? null]
    const start = starts[index] ?? time
    const count = countAt(index)
    for (let part = 1; part < count; part++)
      push(
        Math.round(before + ((time - before) * part) / count),
        start,
        Math.round(last + (((value ?? 0) - last) * part) / count),
      )
    push(time, start, value)
  }
  return full
}

/** How many samples a downsampled one stands for: itself alone after a gap, a restart or a missing one. */
function sampleCount(
  { times, starts, values }: Points,
  index: number,
  everyMs: number,
  sampledMs: number,
): number {
  const [before, time] = [times[index - 1], times[index] ?? 0]
  const isSteady =
    starts?.[index] === starts?.[index - 1] &&
    typeof values[index - 1] === 'number' &&
    typeof values[index] === 'number'
  if (before === undefined || !isSteady || time - before > 1.5 * everyMs) return 1
  return Math.max(1, Math.round((time - before) / sampledMs))
}
