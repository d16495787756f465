import type { protectionOps } from '@gantry/api/history/protection'
import { atlas, id, project } from '../../testing/case-values.ts'
import { type CasesOf, listProject, on } from '../../testing/operation-case.ts'

const object = { path: { object_id: id }, query: { kind: 'project' } }

export const protectionCases: CasesOf<typeof protectionOps> = {
  protectionList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/protections?${atlas}`],
  },
  protectionUpdate: {
    sent: { ...object, body: { no_delete: true, no_stop: false, reason: 'x' } },
    rule: on('modify', 'project'),
    allowed: ({ ids }) => [
      `/ext/v1/protections/${ids.project}?kind=project`,
      { no_delete: true, no_stop: false, reason: 'x' },
    ],
  },
  protectionRemove: {
    sent: object,
    rule: on('modify', 'project'),
    allowed: ({ ids }) => [`/ext/v1/protections/${ids.project}?kind=project`],
  },
}
