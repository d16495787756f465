import type { instanceActionOps } from '@gantry/api/compute/instance-action'
import { atlas, id, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, createInProject, listProject } from '@gantry/control-plane/testing/operation-case'

export const instanceActionCases: CasesOf<typeof instanceActionOps> = {
  instanceActionCreate: {
    sent: { query: project, body: { action: 'stop', instances: ['nobody'] } },
    rule: createInProject,
    allowed: () => [`/ext/v1/instance-actions?${atlas}`, { action: 'delete', instances: ['nobody'] }],
  },
  instanceActionList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/instance-actions?${atlas}`],
  },
  instanceActionView: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/instance-actions/${ids.project}`],
    missing: true,
  },
  instanceActionCancel: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/instance-actions/${ids.project}/cancel`],
    missing: true,
  },
  instanceActionRetry: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/instance-actions/${ids.project}/retry`],
    missing: true,
  },
}
