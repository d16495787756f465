/**
 * Refusals that time can end: the work of an earlier request stops an instance or gives its room back, or the server is too
 * busy. The same request is refused again with any other.
 */
export const passingRefusals = [
  'InvalidRequest',
  'Conflict',
  'ServiceNotAvailable',
  'TooManyRequests',
  'InsufficientCapacity',
] as const

export const canPass = (code: string | undefined): boolean => passingRefusals.some((each) => each === code)

/** Seconds before each further attempt, together about a minute. */
export const retryPauses: readonly number[] = [1, 2, 4, 8, 15, 30]
