import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { ofProjectKinds } from '../filter/list-kinds.rules.ts'
import { timeseriesQueryMax, tooLongAQuery } from './metric.rules.ts'
import { thresholdComparisons, watchRules, watchStates } from './metric-query.rules.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  maybe,
  named,
  NameOrId,
  nameOrIdSorts,
  pageOf,
  projectPaging,
  text,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const MetricThreshold = named(
  'MetricThreshold',
  z.object({
    comparison: z.enum(thresholdComparisons),
    /** In the unit of the query's values. */
    value: z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
    /** How long a timeseries must be beyond the value before the query is firing. */
    for_seconds: z.number().int().min(0).max(watchRules.forSecondsMax).meta({ format: 'uint32' }),
  }),
)
export type MetricThreshold = z.infer<typeof MetricThreshold>

export const MetricBreach = named(
  'MetricBreach',
  z.object({
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
    value: z.number(),
    since: Timestamp,
    is_firing: z.boolean(),
  }),
)
export type MetricBreach = z.infer<typeof MetricBreach>

const found = {
  state: named('MetricWatchState', z.enum(watchStates)),
  /** How many timeseries are beyond the threshold. */
  breaching: z.number().int().nonnegative().meta({ format: 'uint32' }),
  /** The first of them. */
  breaches: z.array(MetricBreach),
  /** Why the query could not be compared; null unless it failed. */
  problem: z.string().nullable(),
}
const MetricWatch = named(
  'MetricWatch',
  z.object({
    ...found,
    /** Since when it has this state. */
    since: Timestamp,
    /** Null before the first evaluation. */
    time_evaluated: Timestamp.nullable(),
  }),
)
export type MetricWatch = z.infer<typeof MetricWatch>

const MetricQuery = named(
  'MetricQuery',
  withIdentity({
    /** Null for a query over all of the fleet's timeseries. */
    project_id: Uuid.nullable(),
    /** Of which kind of objects the query is a filter; null for a query over timeseries. */
    filter_of: z.enum(ofProjectKinds).nullable(),
    query: z.string(),
    threshold: MetricThreshold.nullable(),
    /** Null without a threshold. */
    watch: MetricWatch.nullable(),
  }),
)
export type MetricQuery = z.infer<typeof MetricQuery>

/** Bounded like the query of a request that runs one. */
const QueryText = text(4 * timeseriesQueryMax, tooLongAQuery)
const MetricQueryCreate = named(
  'MetricQueryCreate',
  z.object({
    ...identityCreate,
    /**
     * With a kind of objects, the query is a filter of their list in the project, and its threshold is compared with how
     * many match.
     */
    filter_of: maybe(z.enum(ofProjectKinds)),
    query: QueryText,
    threshold: maybe(MetricThreshold),
  }),
)
export type MetricQueryCreate = z.infer<typeof MetricQueryCreate>
const MetricQueryUpdate = named(
  'MetricQueryUpdate',
  z.object({
    ...IdentityUpdate,
    query: maybe(QueryText),
    /** Replaced as a whole: without one, the query is no longer watched. */
    threshold: maybe(MetricThreshold),
  }),
)
export type MetricQueryUpdate = z.infer<typeof MetricQueryUpdate>

const MetricWatchEvent = named('MetricWatchEvent', z.object({ ...found, id: Uuid, time: Timestamp }))
export type MetricWatchEvent = z.infer<typeof MetricWatchEvent>

const path = z.object({ metric_query: NameOrId })
const bodyMax = 32 * KiB

export const metricQueryOps = family('extensions', ['metric-query'], {
  metricQueryList: get('/ext/v1/metric-queries', {
    summary: "List a project's saved queries, or the fleet's",
    query: projectPaging,
    sorts: nameOrIdSorts,
    returns: pageOf('MetricQuery', MetricQuery),
  }),
  metricQueryCreate: post('/ext/v1/metric-queries', {
    summary: 'Save a query over timeseries or a filter of a list, with or without a threshold',
    query: InProject,
    body: MetricQueryCreate,
    bodyMax,
    returns: MetricQuery,
  }),
  metricQueryView: get('/ext/v1/metric-queries/{metric_query}', {
    summary: 'Fetch a saved query',
    path,
    query: InProject,
    returns: MetricQuery,
  }),
  metricQueryUpdate: put('/ext/v1/metric-queries/{metric_query}', {
    summary: 'Update a saved query',
    path,
    query: InProject,
    body: MetricQueryUpdate,
    bodyMax,
    returns: MetricQuery,
  }),
  metricQueryDelete: del('/ext/v1/metric-queries/{metric_query}', {
    summary: 'Delete a saved query',
    path,
    query: InProject,
  }),
  metricQueryHistory: get('/ext/v1/metric-queries/{metric_query}/history', {
    summary: 'List the newest changes of the state of a saved query',
    path,
    query: InProject,
    returns: named('MetricQueryHistory', z.object({ items: z.array(MetricWatchEvent) })),
  }),
})
