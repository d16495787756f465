import type {
  Datum,
  DatumType,
  Fields,
  FieldType,
  FieldValue,
  StoredTimeseries,
  TimeseriesSchema,
} from '../model.ts'
import type { StoredTable } from './memory-source.ts'

/** Ten o'clock, from which tests count their times in seconds. */
export const tenOClock = Date.parse('2025-08-01T10:00:00Z') * 1000
export const atSecond = (seconds: number): number => tenOClock + seconds * 1_000_000
/** A time of an answer, in seconds after ten. */
export const secondOf = (text: string): number => (Date.parse(text) * 1000 - tenOClock) / 1_000_000

/** The UUID that ends with a number. */
export const id = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

export function schemaOf(
  name: string,
  datum_type: DatumType,
  fields: Record<string, FieldType>,
): TimeseriesSchema {
  return {
    timeseries_name: name,
    datum_type,
    field_schema: Object.entries(fields).map(([name, field_type]) => ({ name, field_type })),
  }
}

/** Fields with the types of a schema. */
export function fieldsOf(schema: TimeseriesSchema, values: Record<string, FieldValue['value']>): Fields {
  return Object.fromEntries(
    schema.field_schema.map(({ name, field_type }) => [
      name,
      { type: field_type, value: values[name] ?? '' },
    ]),
  )
}

/** Samples as `[second, value]`. */
export const gauge = (fields: Fields, samples: readonly [number, Datum][]): StoredTimeseries => ({
  fields,
  start_times: null,
  timestamps: samples.map(([second]) => atSecond(second)),
  values: samples.map(([, value]) => value),
})

/** Samples as `[start, second, total]`. */
export const counter = (fields: Fields, samples: readonly [number, number, Datum][]): StoredTimeseries => ({
  fields,
  start_times: samples.map(([start]) => atSecond(start)),
  timestamps: samples.map(([, second]) => atSecond(second)),
  values: samples.map(([, , value]) => value),
})

export const table = (schema: TimeseriesSchema, timeseries: readonly StoredTimeseries[]): StoredTable => ({
  schema,
  timeseries,
})
