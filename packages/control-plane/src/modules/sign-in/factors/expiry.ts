import { sql } from 'kysely'
import { latestPast } from '@gantry/control-plane/context/time'

const second = 1000

export const expiryAfter = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * second)

/**
 * A condition on `time_expires` that selects rows pending for at most `seconds`. A later expiry was written while the
 * clock was ahead, and counts as expired; a little later may be another process's clock, or a row written since `now`.
 */
export const isUnexpired = (now: Date, seconds: number) =>
  sql<boolean>`time_expires > ${now} AND time_expires <= ${expiryAfter(latestPast(now), seconds)}`
