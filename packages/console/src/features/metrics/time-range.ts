import type { ChartRange } from '#/ui/chart/chart.ts'

const second = 1
const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Preset ranges up to now, in seconds. */
const lengths = { hour, '3-hours': 3 * hour, day, week: 7 * day, month: 30 * day } as const

export type Preset = keyof typeof lengths
const firstPreset: Preset = 'hour'

/** The URL's time range: a preset, or two times. */
export interface RangeSearch {
  range?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export type TimeRange =
  | { preset: Preset; start: number; end: number }
  /** Selected by the user, so that it does not slide. */
  | { preset: undefined; start: number; end: number }

/** The distance between the ends of a sliding range, in seconds. A refresh in between would read the same again. */
export const slideSteps = {
  /** Changes, each at its own time. */
  changes: second,
  /** Means of windows: a refreshed chart keeps its points and gains new ones. */
  means: minute,
} as const
export type SlideStep = (typeof slideSteps)[keyof typeof slideSteps]

/**
 * The interval between a chart's points: about a 60th of the range, but no shorter than between samples (console
 * reference B 7.2).
 */
const pointsPerChart = 60
const closestSeconds = 5
/**
 * The usual interval between samples. Windows that are no multiple of it would vary in their number of samples, and
 * the line would zigzag.
 */
const evenSeconds = 10
export function stepOf([start, end]: ChartRange): number {
  const step = Math.round((end - start) / pointsPerChart)
  return step <= closestSeconds ? closestSeconds : Math.ceil(step / evenSeconds) * evenSeconds
}

/**
 * The URL's range at a given time, in seconds since 1970. A preset ends at a whole step. An invalid range becomes the
 * first preset.
 */
export function rangeOf({ range, from, to }: RangeSearch, nowSeconds: number, step: SlideStep): TimeRange {
  const start = secondsOf(from)
  const end = secondsOf(to)
  if (start !== undefined && end !== undefined && start < end) return { preset: undefined, start, end }
  const preset = isPreset(range) ? range : firstPreset
  const length = lengths[preset]
  const last = Math.floor(nowSeconds / step) * step
  return { preset, start: last - length, end: last }
}

export const isPreset = (word: string | undefined): word is Preset =>
  word !== undefined && Object.hasOwn(lengths, word)

function secondsOf(text: string | undefined): number | undefined {
  const milliseconds = Date.parse(text ?? '')
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

/** A clock that goes back repeats as much, in seconds: nearly everywhere an hour. */
const repeats = [hour, hour / 2, 2 * hour]

/** Whether the local time of a moment, to the minute, comes a second time. */
export const isRepeated = (seconds: number): boolean =>
  repeats.some((by) => [seconds - by, seconds + by].some((other) => fieldText(other) === fieldText(seconds)))

/**
 * The moment of a date field that showed `was` before. Unchanged it is that one, to the second and also when its local
 * time comes twice; of two others, the one that makes the range longer.
 */
export function momentOf(text: string, was: number, end: 'start' | 'end'): number {
  if (text === fieldText(was)) return was
  const first = Date.parse(text) / 1000
  const second = repeats.map((by) => first + by).find((other) => fieldText(other) === text)
  return end === 'start' ? first : (second ?? first)
}

/** `2025-11-20T13:05` in local time, the format of the platform's date fields. */
export function fieldText(seconds: number): string {
  if (!Number.isFinite(seconds)) return ''
  const at = new Date(seconds * 1000)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
