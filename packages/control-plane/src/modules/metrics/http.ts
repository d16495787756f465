import { implement } from '../../kernel/implement.ts'
import { listSiloMetric, listSystemMetric } from './plain.ts'
import { scrape } from './prometheus.ts'
import { listSchemas, queryProject, querySystem } from './queries.ts'

export const metricsHttp = implement({
  siloMetric: listSiloMetric,
  systemMetric: listSystemMetric,
  prometheusMetrics: (cx, { query }) => scrape(cx, query),
  timeseriesQuery: (cx, { query, body }) => queryProject(cx, query, body.query),
  systemTimeseriesQuery: (cx, { body }) => querySystem(cx, body.query),
  systemTimeseriesSchemaList: (cx, { query }) => listSchemas(cx, query),
})
