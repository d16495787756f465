import type { Fields, ReadRequest, StoredTimeseries, TimeRange } from '@gantry/control-plane/oxql/model'
import type { KnownSchema } from '../query/catalogue.ts'
import type { Points } from './points.ts'
import type { PlainFields } from '../sampling/samples.ts'

/** Fields with the types from the schema. */
export const typedFields = ({ field_schema }: KnownSchema, plain: PlainFields): Fields =>
  Object.fromEntries(
    field_schema.map(({ name, field_type }) => [name, { type: field_type, value: plain[name] ?? '' }]),
  )

/** Bounds in whole milliseconds, like those of samples. */
export const rangeInMs = ({ from, to }: TimeRange) => ({
  from: Math.ceil(from / 1000),
  to: Math.ceil(to / 1000),
})

/** Times before 1970 and after 9999 are beyond what databases and JavaScript agree about. */
export const dateOf = (ms: number): Date => new Date(Math.min(Math.max(ms, 0), Date.UTC(9999, 0)))

export const storedTimeseries = (fields: Fields, { times, starts, values }: Points): StoredTimeseries => ({
  fields,
  start_times: starts && starts.map((start) => start * 1000),
  timestamps: times.map((time) => time * 1000),
  values,
})

export function limitPoints(points: Points, wanted: ReadRequest['limit']): Points {
  if (!wanted || points.times.length <= wanted.count) return points
  const range = wanted.kind === 'first' ? ([0, wanted.count] as const) : ([-wanted.count] as const)
  return {
    times: points.times.slice(...range),
    starts: points.starts?.slice(...range) ?? null,
    values: points.values.slice(...range),
  }
}
