import type { ChartRange } from '#/ui/chart/chart.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Lengths of time to look back over, in seconds. */
const lengths = { hour, '3-hours': 3 * hour, day, week: 7 * day, month: 30 * day } as const

export type Preset = keyof typeof lengths
const firstPreset: Preset = 'hour'

/** What the URL says of the time that is shown: a preset, or two moments. */
export interface RangeSearch {
  range?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export type TimeRange =
  | { preset: Preset; start: number; end: number }
  /** Chosen by the user, so that it does not move with time. */
  | { preset: undefined; start: number; end: number }

/** Points of a chart, about one for each 60th of the range but no closer than samples are (console reference B 7.2). */
const pointsPerChart = 60
const closestSeconds = 5
/** Most samples are this far apart. A window that is no multiple would hold one more every now and then, and zigzag. */
const evenSeconds = 10
export function stepOf([start, end]: ChartRange): number {
  const step = Math.round((end - start) / pointsPerChart)
  return step <= closestSeconds ? closestSeconds : Math.ceil(step / evenSeconds) * evenSeconds
}

/**
 * The range of the URL at a moment, in seconds since 1970. A preset ends at a whole step of at most a minute, so that a
 * chart that is read again keeps its points and gains new ones. An invalid range becomes the first preset.
 */
export function rangeOf({ range, from, to }: RangeSearch, nowSeconds: number): TimeRange {
  const start = secondsOf(from)
  const end = secondsOf(to)
  if (start !== undefined && end !== undefined && start < end) return { preset: undefined, start, end }
  const preset = isPreset(range) ? range : firstPreset
  const length = lengths[preset]
  const step = Math.min(minute, stepOf([0, length]))
  const last = Math.floor(nowSeconds / step) * step
  return { preset, start: last - length, end: last }
}

export const isPreset = (word: string | undefined): word is Preset =>
  word !== undefined && Object.hasOwn(lengths, word)

function secondsOf(text: string | undefined): number | undefined {
  const milliseconds = Date.parse(text ?? '')
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

/** `2025-11-20T13:05` in local time, as date fields of the platform take it. */
export function fieldText(seconds: number): string {
  const at = new Date(seconds * 1000)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
