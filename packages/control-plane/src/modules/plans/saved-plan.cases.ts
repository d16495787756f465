import type { savedPlanOps } from '@gantry/api/history/saved-plan'
import { id, project } from '../../testing/case-values.ts'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

const saved = { path: { saved_plan_id: id } }

export const savedPlanCases: CasesOf<typeof savedPlanOps> = {
  savedPlanList: {
    sent: { query: project },
    rule: on('list_children', 'project'),
    allowed: () => ['/ext/v1/saved-plans?project=atlas'],
  },
  savedPlanView: { sent: saved, rule: 'member', missing: true, allowed: () => [`/ext/v1/saved-plans/${id}`] },
  savedPlanCreate: {
    sent: { body: { method: 'PUT', path: '/v1/projects/playground', body: '{"description":"x"}' } },
    rule: on('modify', 'project'),
    allowed: () => [
      '/ext/v1/saved-plans',
      { method: 'PUT', path: '/v1/projects/atlas', body: '{"description":"x"}' },
    ],
  },
  savedPlanCheck: {
    sent: saved,
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/saved-plans/${id}/check`],
  },
  savedPlanCommit: {
    sent: { ...saved, body: { hash: 'x' } },
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/saved-plans/${id}/commit`, { hash: 'x' }],
  },
  savedPlanWithdraw: {
    sent: saved,
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/saved-plans/${id}/withdraw`],
  },
  fourEyesSettingsView: {
    sent: {},
    rule: openly('read', 'silo'),
    allowed: () => ['/ext/v1/four-eyes-settings'],
  },
  fourEyesSettingsUpdate: {
    sent: { body: { kinds: [] } },
    rule: openly('modify', 'silo'),
    allowed: () => ['/ext/v1/four-eyes-settings', { kinds: [] }],
  },
}
