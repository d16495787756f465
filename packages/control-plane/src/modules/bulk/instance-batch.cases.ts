import type { instanceBatchOps } from '@gantry/api/compute/instance-batch'
import { atlas, GiB, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, createInProject, listProject } from '@gantry/control-plane/testing/operation-case'

const instance = { description: '', ncpus: 1, memory: GiB, start: false }

export const instanceBatchCases: CasesOf<typeof instanceBatchOps> = {
  instanceBatchCreate: {
    sent: { query: project, body: { name_pattern: 'web-{n}', count: 2, instance } },
    rule: createInProject,
    allowed: () => [`/ext/v1/instance-batches?${atlas}`, { name_pattern: 'made-{n}', count: 2, instance }],
  },
  instanceBatchNames: {
    sent: { query: { ...project, name_pattern: 'web-{n}', count: '2' } },
    rule: listProject,
    allowed: () => [`/ext/v1/instance-batch-names?${atlas}&name_pattern=web-%7Bn%7D&count=2`],
  },
}
