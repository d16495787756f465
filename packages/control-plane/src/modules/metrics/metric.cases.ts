import type { metricOps } from '@gantry/api/metrics/metric'
import { aQuery, atlas, project } from '../../testing/case-values.ts'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

const anHour = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T01:00:00Z' }
const inAnHour = 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T01:00:00Z'

export const metricCases: CasesOf<typeof metricOps> = {
  siloMetric: {
    sent: { path: { metric_name: 'cpus_provisioned' }, query: anHour },
    rule: openly('read', 'silo'),
    allowed: () => [`/v1/metrics/cpus_provisioned?${inAnHour}`],
  },
  timeseriesQuery: {
    sent: { query: project, body: { query: aQuery } },
    rule: on('read', 'project'),
    allowed: () => [`/v1/timeseries/query?${atlas}`, { query: aQuery }],
  },
  systemMetric: {
    sent: { path: { metric_name: 'cpus_provisioned' }, query: anHour },
    rule: openly('read', 'fleet'),
    allowed: () => [`/v1/system/metrics/cpus_provisioned?${inAnHour}`],
  },
  systemTimeseriesQuery: {
    sent: { body: { query: aQuery } },
    rule: openly('read', 'fleet'),
    allowed: () => ['/v1/system/timeseries/query', { query: aQuery }],
  },
  systemTimeseriesSchemaList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/system/timeseries/schemas'],
  },
  // Everyone may call it; the response contains what the caller may see (`metrics.test.ts`).
  prometheusMetrics: {
    sent: {},
    rule: openly('read', 'silo'),
    allowed: () => ['/ext/v1/metrics/prometheus'],
  },
}
