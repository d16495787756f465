/** The state of a query with a threshold: `pending` while the threshold is crossed for less than its duration. */
export const watchStates = ['ok', 'pending', 'firing', 'no_data'] as const
export type WatchState = (typeof watchStates)[number]

export const thresholdComparisons = ['above', 'below'] as const
export type ThresholdComparison = (typeof thresholdComparisons)[number]

export const watchRules = {
  /** Seconds between two evaluations of a query. */
  everySeconds: 30,
  /**
   * An older value says nothing about the present: the object is gone, or nobody samples it. A longer pause between
   * evaluations says nothing about the time in between.
   */
  staleSeconds: 600,
  /** The maximum duration of a threshold. */
  forSecondsMax: 86_400,
  /** Timeseries beyond the threshold that are kept; a query can answer with many thousands. */
  breachesKept: 1000,
  /** How many of them a response, an alert and the history name. */
  breachesShown: 10,
  /** Changes of state that are kept of a query. */
  eventsKept: 100,
} as const

/** `above 90 for 5 minutes`, with the value in words that the caller chooses. */
export function thresholdText(
  { comparison, for_seconds }: { comparison: ThresholdComparison; for_seconds: number },
  value: string,
): string {
  return `${comparison} ${value}${for_seconds === 0 ? '' : ` for ${spanText(for_seconds)}`}`
}

/** In the largest unit that expresses it as a whole number. */
function spanText(seconds: number): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A unit that people read more easily than the one of the samples: a value times `factor` is a sample's. */
interface ThresholdUnit {
  label: string
  factor: number
}

/** Nanoseconds in a hundredth of the 5 seconds between two samples of a vCPU (control plane reference B 19.1). */
export const cpuPercent: ThresholdUnit = { label: '% of a vCPU', factor: 5e7 }

/** The unit in which a threshold of the query is entered and shown; undefined for the unit of its samples. */
export const thresholdUnit = (query: string): ThresholdUnit | undefined =>
  /\bget\s+virtual_machine:vcpu_usage\b/.test(query) ? cpuPercent : undefined

/** A value that the query answers with, in its unit: `93.5% of a vCPU`. */
export function measuredText(query: string, value: number): string {
  const unit = thresholdUnit(query)
  const number = (value / (unit?.factor ?? 1)).toLocaleString('en-US', { maximumFractionDigits: 2 })
  return unit ? `${number}${unit.label}` : number
}
