import { implement } from '../../kernel/implement.ts'
import { need, needFleet, needOwnSilo } from '../../kernel/need.ts'
import { unavailable } from '../../kernel/refusal.ts'

const notYet = () => unavailable('The store of samples is being built.')

export const metricsHttp = implement({
  siloMetric: async (cx, { query }) => {
    if (query.project) await need(cx, 'project', { project: query.project }, 'read')
    else needOwnSilo(cx, 'read')
    throw notYet()
  },
  systemMetric: async (cx, { query }) => {
    needFleet(cx, 'read')
    if (query.silo) await need(cx, 'silo', { silo: query.silo }, 'read')
    throw notYet()
  },
  timeseriesQuery: async (cx, { query }) => {
    await need(cx, 'project', query, 'read')
    throw notYet()
  },
  systemTimeseriesQuery: async (cx) => {
    needFleet(cx, 'read')
    throw notYet()
  },
  systemTimeseriesSchemaList: async (cx) => {
    needFleet(cx, 'list_children')
    throw notYet()
  },
})
