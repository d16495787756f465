import type { instanceTemplateOps } from '@gantry/api/compute/instance-template'
import { atlas, fresh, GiB, named, plain, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  type Given,
  listProject,
  modifyChild,
  readChild,
} from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const at = '/ext/v1/instance-templates'
const sent = { path: { instance_template: 'nobody' }, query: project }
const settings = { hardware: { ncpus: 1, memory: GiB }, start: false }
const freshTemplate = (made: PolicyScene['made']): Promise<string> =>
  made(`${at}?${atlas}`, { ...plain(), settings })

export const instanceTemplateCases: CasesOf<typeof instanceTemplateOps> = {
  instanceTemplateList: { sent: { query: project }, rule: listProject, allowed: () => [`${at}?${atlas}`] },
  instanceTemplateCreate: {
    sent: { query: project, body: { ...named, settings, fixed: ['hardware'] } },
    rule: createInProject,
    allowed: () => [`${at}?${atlas}`, { ...plain(), settings }],
  },
  instanceTemplateView: {
    sent,
    rule: readChild,
    allowed: async ({ made }) => [`${at}/${await freshTemplate(made)}?${atlas}`],
    addressed: [
      'instance_template',
      'instance-template',
      ['project'],
      'when providing instance_template as an ID, project should not be specified',
    ],
  },
  instanceTemplateUpdate: {
    sent: { ...sent, body: { description: 'x', settings } },
    rule: modifyChild,
    allowed: async ({ made }) => [`${at}/${await freshTemplate(made)}?${atlas}`, { description: fresh() }],
  },
  instanceTemplateDelete: {
    sent,
    rule: modifyChild,
    allowed: async ({ made }) => [`${at}/${await freshTemplate(made)}?${atlas}`],
  },
  instanceTemplateUse: {
    sent: { ...sent, body: { name: 'web' } },
    rule: createInProject,
    allowed: async ({ made }) => [`${at}/${await freshTemplate(made)}/instances?${atlas}`, { name: fresh() }],
  },
  instanceTemplateBatchUse: {
    sent: { ...sent, body: { name_pattern: 'web-{n}', count: 2 } },
    rule: createInProject,
    allowed: async ({ made }) => [
      `${at}/${await freshTemplate(made)}/instance-batches?${atlas}`,
      { name_pattern: `${fresh()}-{n}`, count: 2 },
    ],
  },
}

export const instanceTemplateGiven: Given = {
  instance_template: ({ at: query, the }) => [`${at}?${query}`, { ...the, settings }],
}
