import type { restorationOps } from '@gantry/api/history/restoration'
import { id } from '../../testing/case-values.ts'
import type { CasesOf } from '../../testing/operation-case.ts'

const given = { rule: 'member', missing: true } as const

export const restorationCases: CasesOf<typeof restorationOps> = {
  restorationPlan: {
    ...given,
    sent: { path: { deletion_id: id } },
    allowed: () => [`/ext/v1/deletions/${id}/restoration-plan`],
  },
  restorationCreate: {
    ...given,
    sent: { body: { deletion_id: id, name: 'again' } },
    allowed: () => ['/ext/v1/restorations', { deletion_id: id }],
  },
  restorationView: {
    ...given,
    sent: { path: { restoration_id: id } },
    allowed: () => [`/ext/v1/restorations/${id}`],
  },
  restorationCancel: {
    ...given,
    sent: { path: { restoration_id: id } },
    allowed: () => [`/ext/v1/restorations/${id}/cancel`],
  },
}
