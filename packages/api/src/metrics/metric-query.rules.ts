/** The state of a query with a threshold: `pending` while the threshold is crossed for less than its duration. */
export const watchStates = ['ok', 'pending', 'firing', 'no_data'] as const
export type WatchState = (typeof watchStates)[number]

export const thresholdComparisons = ['above', 'below'] as const
export type ThresholdComparison = (typeof thresholdComparisons)[number]

export const watchRules = {
  /** Seconds between two evaluations of a query. */
  everySeconds: 30,
  /**
   * An older value says nothing about the present: the object was deleted, or is not sampled. A longer pause between
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
