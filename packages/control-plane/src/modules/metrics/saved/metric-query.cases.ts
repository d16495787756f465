import type { metricQueryOps } from '@gantry/api/metrics/metric-query'
import { aQuery, atlas, fresh, named, project } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInProject,
  listChild,
  listProject,
  modifyChild,
  readChild,
  type Given,
} from '@gantry/control-plane/testing/operation-case'
import type { PolicyScene } from '@gantry/control-plane/testing/policy-scene'

const savedQuery = { path: { metric_query: 'nobody' }, query: project }
const saved = (name: string) => ({ name, description: '', query: aQuery })
const freshQuery = (made: PolicyScene['made']): Promise<string> =>
  made(`/ext/v1/metric-queries?${atlas}`, saved(fresh()))

export const metricQueryCases: CasesOf<typeof metricQueryOps> = {
  metricQueryList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/metric-queries?${atlas}`],
  },
  metricQueryCreate: {
    sent: {
      query: project,
      body: { ...named, query: aQuery, threshold: { comparison: 'above', value: 1, for_seconds: 60 } },
    },
    rule: createInProject,
    allowed: () => [`/ext/v1/metric-queries?${atlas}`, saved(fresh())],
  },
  metricQueryView: {
    sent: savedQuery,
    rule: readChild,
    allowed: async ({ made }) => [`/ext/v1/metric-queries/${await freshQuery(made)}?${atlas}`],
    addressed: [
      'metric_query',
      'metric-query',
      ['project'],
      'when providing metric_query as an ID, project should not be specified',
    ],
  },
  metricQueryUpdate: {
    sent: { ...savedQuery, body: { description: 'x' } },
    rule: modifyChild,
    allowed: async ({ made }) => [
      `/ext/v1/metric-queries/${await freshQuery(made)}?${atlas}`,
      { description: fresh() },
    ],
  },
  metricQueryDelete: {
    sent: savedQuery,
    rule: modifyChild,
    allowed: async ({ made }) => [`/ext/v1/metric-queries/${await freshQuery(made)}?${atlas}`],
  },
  metricQueryHistory: {
    sent: savedQuery,
    rule: listChild,
    allowed: async ({ made }) => [`/ext/v1/metric-queries/${await freshQuery(made)}/history?${atlas}`],
  },
}

export const metricQueryGiven: Given = {
  metric_query: ({ at, the }) => [
    `/ext/v1/metric-queries?${at}`,
    { ...the, query: 'get virtual_disk:bytes_read | last 1' },
  ],
}
