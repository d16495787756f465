import { z } from 'zod'
import { Count, Datum, DatumType, Int64 } from '../base/datum.ts'
import { provisioningMetrics, timeseriesQueryMax, tooLongAQuery } from './metric.rules.ts'
import { family, get, post } from '../op.ts'
import { KiB } from '../base/bytes.rules.ts'
import {
  InProject,
  maybe,
  named,
  NameOrId,
  OfProject,
  pageOf,
  pageTokenMax,
  paging,
  text,
  Timestamp,
  Uuid,
} from '../schema.ts'

const MetricName = named('SystemMetricName', z.enum(provisioningMetrics))

const notATime = 'input is not an RFC 3339 timestamp'
/** RFC 3339 with any offset, up to nanoseconds; the answer is to the millisecond. */
const Instant = text(40, notATime)
  .refine(
    (given) =>
      /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.test(given) &&
      !Number.isNaN(Date.parse(given)),
    { error: notATime, abort: true },
  )
  .overwrite((given) => (Number.isNaN(Date.parse(given)) ? given : new Date(given).toISOString()))
  .meta({ format: 'date-time' })

const Measurement = named(
  'Measurement',
  z.object({
    timestamp: Timestamp,
    datum: Datum,
  }),
)
export type Measurement = z.infer<typeof Measurement>

const measurements = pageOf('Measurement', Measurement)
const inTime = {
  ...paging(pageTokenMax),
  start_time: maybe(Instant),
  end_time: maybe(Instant),
  order: maybe(named('PaginationOrder', z.enum(['ascending', 'descending']))),
}
const ofMetric = {
  path: z.object({ metric_name: MetricName }),
  requiredOnFirstPage: ['start_time', 'end_time'],
  returns: measurements,
} as const

/**
 * The characters are counted after the query is trimmed, by the language itself; the bound here only keeps a
 * body of blanks out.
 */
export const TimeseriesQuery = named(
  'TimeseriesQuery',
  z.object({ query: text(4 * timeseriesQueryMax, tooLongAQuery) }),
)

const fieldTypes = [
  'string',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'ip_addr',
  'uuid',
  'bool',
] as const

const integerField = <Type extends string>(type: Type, format: string) =>
  z.object({ type: z.literal(type), value: z.number().int().meta({ format }) })
const FieldValue = named(
  'FieldValue',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('string'), value: z.string() }),
    integerField('i8', 'int8'),
    integerField('u8', 'uint8'),
    integerField('i16', 'int16'),
    integerField('u16', 'uint16'),
    integerField('i32', 'int32'),
    integerField('u32', 'uint32'),
    integerField('i64', 'int64'),
    integerField('u64', 'uint64'),
    z.object({ type: z.literal('ip_addr'), value: z.string().meta({ format: 'ip' }) }),
    z.object({ type: z.literal('uuid'), value: Uuid }),
    z.object({ type: z.literal('bool'), value: z.boolean() }),
  ]),
)
export type FieldValue = z.infer<typeof FieldValue>

const distribution = (number: z.ZodNumber) =>
  z.object({
    /** Left edges, ascending. */
    bins: z.array(number),
    counts: z.array(Count),
    min: number.nullish(),
    max: number.nullish(),
    sum_of_samples: number,
    squared_mean: z.number(),
    p50: z.number().nullish(),
    p90: z.number().nullish(),
    p99: z.number().nullish(),
  })

const valuesOf = <Type extends string, Value extends z.ZodType>(type: Type, value: Value) =>
  z.object({ type: z.literal(type), values: z.array(value.nullable()) })
const Values = named(
  'Values',
  z.object({
    metric_type: named('MetricType', z.enum(['gauge', 'delta', 'cumulative'])),
    values: named(
      'ValueArray',
      z.discriminatedUnion('type', [
        valuesOf('integer', Int64),
        valuesOf('double', z.number()),
        valuesOf('boolean', z.boolean()),
        valuesOf('string', z.string()),
        valuesOf('integer_distribution', named('Distributionint64', distribution(Int64))),
        valuesOf('double_distribution', named('Distributiondouble', distribution(z.number()))),
      ]),
    ),
  }),
)

const Timeseries = named(
  'Timeseries',
  z.object({
    fields: z.record(z.string(), FieldValue),
    points: named(
      'Points',
      z.object({
        /** Null for gauges. */
        start_times: z.array(Timestamp).nullish(),
        timestamps: z.array(Timestamp),
        /** One for each dimension: several only after a join. */
        values: z.array(Values),
      }),
    ),
  }),
)
export const OxqlQueryResult = named(
  'OxqlQueryResult',
  z.object({
    tables: z.array(named('OxqlTable', z.object({ name: z.string(), timeseries: z.array(Timeseries) }))),
  }),
)
export type OxqlQueryResult = z.infer<typeof OxqlQueryResult>

const units = [
  'none',
  'count',
  'bytes',
  'seconds',
  'nanoseconds',
  'volts',
  'amps',
  'watts',
  'degrees_celsius',
  'joules',
  'rpm',
] as const

export const TimeseriesSchema = named(
  'TimeseriesSchema',
  z.object({
    timeseries_name: named('TimeseriesName', z.string()),
    version: z.number().int().min(1).meta({ format: 'uint8' }),
    authz_scope: named('AuthzScope', z.enum(['fleet', 'silo', 'project', 'viewable_to_all'])),
    datum_type: DatumType,
    units: named('Units', z.enum(units)),
    created: Timestamp,
    description: named('TimeseriesDescription', z.object({ target: z.string(), metric: z.string() })),
    field_schema: z.array(
      named(
        'FieldSchema',
        z.object({
          name: z.string(),
          field_type: named('FieldType', z.enum(fieldTypes)),
          source: named('FieldSource', z.enum(['target', 'metric'])),
          description: z.string(),
        }),
      ),
    ),
  }),
)
export type TimeseriesSchema = z.infer<typeof TimeseriesSchema>

/** Queries only read, and a chart sends one every few seconds: the audit log does not record them. */
const runsQuery = {
  body: TimeseriesQuery,
  bodyMax: 32 * KiB,
  returns: OxqlQueryResult,
  status: 200,
  audited: false,
  onlyReads: true,
} as const

export const metricOps = {
  ...family('metrics', [], {
    siloMetric: get('/v1/metrics/{metric_name}', {
      summary: 'List what your silo or one of its projects had provisioned, at each change',
      query: z.object({ ...inTime, project: maybe(NameOrId) }),
      ...ofMetric,
    }),
  }),
  ...family('experimental', [], {
    timeseriesQuery: post('/v1/timeseries/query', {
      summary: "Run a query over a project's timeseries",
      query: OfProject,
      ...runsQuery,
    }),
  }),
  ...family('system/metrics', [], {
    systemMetric: get('/v1/system/metrics/{metric_name}', {
      summary: 'List what the fleet or a silo had provisioned, at each change',
      query: z.object({ ...inTime, silo: maybe(NameOrId) }),
      ...ofMetric,
    }),
    systemTimeseriesQuery: post('/v1/system/timeseries/query', {
      summary: "Run a query over all of the fleet's timeseries",
      ...runsQuery,
    }),
    systemTimeseriesSchemaList: get('/v1/system/timeseries/schemas', {
      summary: 'List the schemas of the timeseries that have been sampled',
      query: z.object(paging(pageTokenMax)),
      returns: pageOf('TimeseriesSchema', TimeseriesSchema),
    }),
  }),
  ...family('extensions', [], {
    prometheusMetrics: get('/ext/v1/metrics/prometheus', {
      summary: 'Fetch the newest samples of everything you may see, for Prometheus to scrape',
      noScreen: { sentBy: 'Prometheus, which scrapes it' },
      query: InProject,
      transport: 'text',
    }),
  }),
}
