import type { activityOps } from '@gantry/api/history/activity'
import { id, inTime, project } from '../../testing/case-values.ts'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

export const activityCases: CasesOf<typeof activityOps> = {
  activityList: {
    sent: {
      query: { ...project, ...inTime, object: id, kind: 'instance', action: 'deleted', outcome: 'changed' },
    },
    rule: on('list_children', 'project'),
    allowed: () => ['/ext/v1/activity?project=atlas'],
  },
  systemActivityList: {
    sent: { query: { ...inTime, by: 'admin', by_platform: 'false', search: 'bay' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/activity'],
  },
  currentUserRequestList: {
    sent: { query: { entry: id } },
    rule: 'member',
    allowed: () => [`/ext/v1/me/requests?entry=${id}`],
  },
  activityRevertView: {
    sent: { path: { entry_id: id } },
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/activity/${id}/revert`],
  },
  activityRevert: {
    sent: { path: { entry_id: id }, body: { hash: 'a'.repeat(64), keep: [] } },
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/activity/${id}/revert`, { hash: 'a'.repeat(64), keep: [] }],
  },
}
