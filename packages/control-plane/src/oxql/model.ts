/**
 * What the query language reads and answers. Wire names are the API's; everything inside counts time in
 * whole microseconds since 1970, because milliseconds are too coarse for samples.
 */

/** Microseconds since 1970-01-01T00:00:00Z. */
export type Micros = number

export type FieldType =
  | 'string'
  | 'i8'
  | 'u8'
  | 'i16'
  | 'u16'
  | 'i32'
  | 'u32'
  | 'i64'
  | 'u64'
  | 'ip_addr'
  | 'uuid'
  | 'bool'

export interface FieldValue {
  type: FieldType
  value: string | number | boolean
}
export type Fields = Record<string, FieldValue>

type Number64 = 'i64' | 'u64' | 'f32' | 'f64'
type AnyNumber = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | Number64
export type DatumType =
  | 'bool'
  | 'string'
  | 'bytes'
  | AnyNumber
  | `cumulative_${Number64}`
  | `histogram_${AnyNumber}`

/** The part of the API's `TimeseriesSchema` that queries need. */
export interface TimeseriesSchema {
  timeseries_name: string
  datum_type: DatumType
  field_schema: readonly { name: string; field_type: FieldType }[]
}

export interface Distribution {
  /** Left edges, ascending. */
  bins: number[]
  counts: number[]
  min: number | null
  max: number | null
  sum_of_samples: number
  squared_mean: number
  p50: number | null
  p90: number | null
  p99: number | null
}

/** Null is a missing sample. An integer beyond 2^53 is a bigint, so that differences stay exact. */
export type Datum = number | bigint | boolean | string | Distribution | null

/** One timeseries as it is stored: counters and histograms are totals since their start time. */
export interface StoredTimeseries {
  fields: Fields
  /** When counting began, one entry a sample; null for gauges. */
  start_times: readonly Micros[] | null
  /** Ascending, without repetition. */
  timestamps: readonly Micros[]
  values: readonly Datum[]
}

/** From `from` inclusive to `to` exclusive; open ends are infinite. */
export interface TimeRange {
  from: Micros
  to: Micros
}

export interface Limit {
  kind: 'first' | 'last'
  count: number
}

export type FieldOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '~=' | '!~='

/** One condition on a field. Texts are canonical: UUIDs in lower case, addresses as RFC 5952 writes them. */
export interface FieldTest {
  field: string
  operator: FieldOperator
  value: { type: 'string' | 'uuid' | 'ip_addr'; value: string } | NumberOrBoolean
}
type NumberOrBoolean = { type: 'integer'; value: number | bigint } | { type: 'boolean'; value: boolean }

/** A way for a sample to qualify: all tests hold for the fields, and its time is in the range. */
export interface Alternative extends TimeRange {
  tests: readonly FieldTest[]
}

/**
 * What one `get` needs. A source reads the timeseries whose fields satisfy an alternative; `rangeFor` of
 * `select.ts` decides that for one timeseries and says which of its samples to read, and `from` and `to` are
 * the bounds over all. More than that may be returned when there is no limit: evaluation filters again.
 * A source that asks `rangeFor` about many timeseries in memory lets others have their turn in between.
 */
export interface ReadRequest extends TimeRange {
  name: string
  any: readonly Alternative[]
  /** The number of samples of each timeseries, counted among those in its range; absent: all of them. */
  limit?: Limit
  /** A source may end as soon as it has returned more samples than this: the query then fails. */
  maxPoints: number
  /**
   * Throws once the query has reached its deadline or its caller has left, and waits while it has no share of the
   * server. A source awaits it before each step of its own, since it may read for long without returning anything,
   * and after it has handled so many samples, so that others have their turn.
   */
  check: (samples?: number) => Promise<void> | void
  signal?: AbortSignal
}

export interface TimeseriesSource {
  /** Undefined unless at least one sample of that name was ever recorded. */
  schema(name: string): Promise<TimeseriesSchema | undefined>
  /** Each timeseries once, in any order, with its samples in ascending time; none without samples. */
  read(request: ReadRequest): AsyncIterable<StoredTimeseries>
}

export type ValueArray =
  | { type: 'integer' | 'double'; values: (number | null)[] }
  | { type: 'boolean'; values: (boolean | null)[] }
  | { type: 'string'; values: (string | null)[] }
  | { type: 'integer_distribution' | 'double_distribution'; values: (Distribution | null)[] }
export type DataType = ValueArray['type']

/** `OxqlTable` as the API answers it, ready for JSON. */
export interface OxqlTable {
  name: string
  timeseries: OxqlTimeseries[]
}
export interface OxqlTimeseries {
  fields: Fields
  points: {
    start_times: string[] | null
    timestamps: string[]
    values: { metric_type: 'gauge' | 'delta'; values: ValueArray }[]
  }
}
