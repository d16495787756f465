import { type RawBuilder, sql } from 'kysely'
import type { Key } from './keyset-page.ts'

/** A time of the database in microseconds, its full precision; a `Date` would truncate it and skip rows. */
const moment = (micros: string): RawBuilder<unknown> =>
  sql`(to_timestamp(0) + ${micros}::int8 * interval '1 microsecond')`

/** A time as a request gives it. */
export const momentOf = (iso: string): RawBuilder<unknown> => moment(String(Date.parse(iso) * 1000))

/** Years that the database can compute with. */
const [firstTime, lastTime] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** A time in milliseconds; one beyond what any row can have is the last that one can. */
export const instant = (ms: number): RawBuilder<unknown> =>
  moment(String(Math.min(lastTime, Math.max(firstTime, ms)) * 1000))

export const timeKey = (column: string): Key => ({
  column,
  text: (value) => sql<string>`(extract(epoch FROM ${value}) * 1000000)::int8::text`,
  value: moment,
  reads: (text) => /^\d{1,16}$/.test(text),
  isUnique: false,
})

const second = 1_000_000
/** Microseconds of a day, an hour, a minute, a second. */
const steps = [86_400 * second, 3600 * second, 60 * second, second]

/**
 * The round time next to the second of two times, on the way from the first, in microseconds; undefined if they are too
 * close together. It skips at most a quarter of what is between them.
 */
export function roundBetween(from: number, to: number): number | undefined {
  const step = steps.find((each) => Math.abs(from - to) >= 4 * each)
  if (step === undefined) return undefined
  return (from > to ? Math.ceil(to / step) : Math.floor(to / step)) * step
}

/** A time in microseconds as answers write it. */
export const writtenTime = (micros: number): string => new Date(micros / 1000).toISOString()
