import { sql } from 'kysely'

const second = 1000

export const expiryAfter = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * second)

/**
 * A condition on `time_expires` of rows that wait for so many seconds. One that expires later than any can was written
 * by a clock that was ahead, and is over too.
 */
export const stillWaits = (now: Date, seconds: number) =>
  sql<boolean>`time_expires > ${now} AND time_expires <= ${expiryAfter(now, seconds)}`
