import { implement } from '../../pipeline/implement.ts'
import { listSiloMetric, listSystemMetric } from './query/list-provisioned.ts'
import { scrape } from './query/prometheus.ts'
import {
  createQuery,
  deleteQuery,
  listQueries,
  queryHistory,
  updateQuery,
  viewQuery,
} from './saved/saved-queries.ts'
import { listSchemas, queryProject, querySystem } from './query/queries.ts'

export const metricsHttp = implement({
  siloMetric: listSiloMetric,
  systemMetric: listSystemMetric,
  prometheusMetrics: (cx, { query }) => scrape(cx, query),
  timeseriesQuery: (cx, { query, body }) => queryProject(cx, query, body.query),
  systemTimeseriesQuery: (cx, { body }) => querySystem(cx, body.query),
  systemTimeseriesSchemaList: (cx, { query }) => listSchemas(cx, query),
  metricQueryList: (cx, { query }) => listQueries(cx, query),
  metricQueryCreate: (cx, { query, body }) => createQuery(cx, query, body),
  metricQueryView: (cx, { path, query }) => viewQuery(cx, { ...path, ...query }),
  metricQueryUpdate: (cx, { path, query, body }) => updateQuery(cx, { ...path, ...query }, body),
  metricQueryDelete: (cx, { path, query }) => deleteQuery(cx, { ...path, ...query }),
  metricQueryHistory: (cx, { path, query }) => queryHistory(cx, { ...path, ...query }),
})
