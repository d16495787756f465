import { type RawBuilder, sql } from 'kysely'
import type { Key } from './keyset-page.ts'

/** A time of the database in microseconds, its full precision; a `Date` would truncate it and skip rows. */
const moment = (micros: string): RawBuilder<unknown> =>
  sql`(to_timestamp(0) + ${micros}::int8 * interval '1 microsecond')`

/** A time as a request gives it. */
export const momentOf = (iso: string): RawBuilder<unknown> => moment(String(Date.parse(iso) * 1000))

export const timeKey = (column: string): Key => ({
  column,
  text: (value) => sql<string>`(extract(epoch FROM ${value}) * 1000000)::int8::text`,
  value: moment,
  reads: (text) => /^\d{1,16}$/.test(text),
  isUnique: false,
})
