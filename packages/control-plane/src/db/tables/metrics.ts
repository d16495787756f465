import type { OfProjectKind } from '@gantry/api/filter/list-kinds.rules'
import type { MetricBreach, MetricThreshold } from '@gantry/api/metrics/metric-query'
import type { WatchState } from '@gantry/api/metrics/metric-query.rules'
import type { ProvisioningMetric } from '@gantry/api/metrics/metric.rules'
import type { Defaulted, Json, JsonOrNull, Named } from './column-types.ts'

/** A saved query. `silo_id` is its project's; one of the fleet has neither. */
interface MetricQueryTable extends Named {
  silo_id: string | null
  project_id: string | null
  /** Of which kind of objects the query is a filter; null for a query over timeseries. */
  filter_of: OfProjectKind | null
  query: string
  threshold: JsonOrNull<MetricThreshold>
}
/** The result of the latest evaluation of a query with a threshold. */
interface MetricWatchTable {
  metric_query_id: string
  state: WatchState
  /** Since when it has this state. */
  since: Date
  evaluated: Date | null
  /** When the next evaluation is due. */
  due: Date
  lease_until: Date | null
  breaches: Json<MetricBreach[]>
  problem: string | null
}
interface MetricWatchEventTable {
  id: string
  metric_query_id: string
  time: Date
  state: WatchState
  breaching: number
  /** The first of them. */
  breaches: Json<MetricBreach[]>
  problem: string | null
}
/** An object with timeseries: an instance, a sled. */
interface MetricLaneTable {
  /** Assigned by the process that takes samples; it resumes after the largest one in a restored database. */
  id: number
  source: string
  last_at: Date
}
interface TimeseriesTable {
  /** The id of its object. */
  lane: number
  /** Its number among the series of that object. */
  slot: number
  name: string
  fields: Json<Record<string, string | number | boolean>>
}
/** Names of which at least one sample was recorded. */
interface TimeseriesNameTable {
  name: string
  time_created: Date
}
/** One round of samples of a shard, which is a group of objects. */
interface MetricHeadTable {
  /** The number of the shard. */
  chunk: number
  at: Date
  data: Uint8Array
}
/** The samples of one object in a window of time. */
interface MetricBlockTable {
  /** The id of the object. */
  lane: number
  /** The resolution: 0 as sampled, 1 by the minute, 2 by the hour. */
  tier: number
  starts: Date
  data: Uint8Array
}
/** How far upkeep has come, and which process takes the samples. */
interface MetricProgressTable {
  name: string
  until: Date
  holder: Defaulted<string | null>
}
interface ProvisionedTable {
  id: string
  metric: ProvisioningMetric
  time: Date
  value: number
}

export interface MetricsTracked {
  metric_query: MetricQueryTable
}

export interface MetricsPlain {
  metric_lane: MetricLaneTable
  timeseries: TimeseriesTable
  timeseries_name: TimeseriesNameTable
  metric_head: MetricHeadTable
  metric_block: MetricBlockTable
  metric_progress: MetricProgressTable
  provisioned: ProvisionedTable
  metric_watch: MetricWatchTable
  metric_watch_event: MetricWatchEventTable
}
