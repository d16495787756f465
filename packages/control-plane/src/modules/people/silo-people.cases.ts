import type { siloPeopleOps } from '@gantry/api/people/silo-people'
import { fresh, id, silo } from '../../testing/case-values.ts'
import { type CasesOf, withinNamedSilo } from '../../testing/operation-case.ts'

export const siloPeopleCases: CasesOf<typeof siloPeopleOps> = {
  siloPersonList: {
    sent: { path: silo, query: { name: 'a' } },
    rule: withinNamedSilo('create_child', 'siloUser'),
    allowed: () => ['/ext/v1/system/silos/demo/people'],
  },
  siloUserInvite: {
    sent: { path: silo, body: { external_id: 'invited-one' } },
    rule: withinNamedSilo('create_child', 'siloUser'),
    allowed: () => ['/ext/v1/system/silos/demo/people', { external_id: fresh() }],
  },
  userPasswordReset: {
    sent: { path: { user_id: id }, query: silo },
    rule: withinNamedSilo('modify', 'siloUser'),
    allowed: async ({ freshUser }) => [`/ext/v1/users/${await freshUser()}/one-time-password?silo=demo`],
  },
  userSessionsEnd: {
    sent: { path: { user_id: id }, query: silo },
    rule: withinNamedSilo('modify', 'siloUser'),
    allowed: async ({ freshUser }) => [`/ext/v1/users/${await freshUser()}/end-sessions?silo=demo`],
  },
}
