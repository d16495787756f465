import type { deletionOps } from '@gantry/api/history/deletion'
import { id } from '../../testing/case-values.ts'
import { type CasesOf, on } from '../../testing/operation-case.ts'

export const deletionCases: CasesOf<typeof deletionOps> = {
  deletionPlanView: {
    sent: { path: { object_id: id }, query: { kind: 'project' } },
    rule: on('modify', 'project'),
    allowed: ({ ids }) => [`/ext/v1/deletion-plans/${ids.project}?kind=project`],
  },
  deletionCreate: {
    sent: { body: { kind: 'project', object_id: id, hash: 'x' } },
    rule: on('modify', 'project'),
    allowed: ({ ids }) => ['/ext/v1/deletions', { kind: 'project', object_id: ids.project, hash: 'x' }],
  },
  deletionList: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/deletions'] },
  deletionView: {
    sent: { path: { deletion_id: id } },
    rule: 'member',
    allowed: () => [`/ext/v1/deletions/${id}`],
    missing: true,
  },
  deletionCancel: {
    sent: { path: { deletion_id: id } },
    rule: 'member',
    allowed: () => [`/ext/v1/deletions/${id}/cancel`],
    missing: true,
  },
}
