import type { sessionOps } from '@gantry/api/people/session'
import { id } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, ofUser } from '@gantry/control-plane/testing/operation-case'

export const sessionCases: CasesOf<typeof sessionOps> = {
  userSessionList: {
    sent: { path: { user_id: id } },
    rule: ofUser('list_children'),
    allowed: ({ ids }) => [`/v1/users/${ids.user}/sessions`],
  },
  userLogout: {
    sent: { path: { user_id: id } },
    rule: ofUser('modify'),
    allowed: async ({ freshUser }) => [`/v1/users/${await freshUser()}/logout`],
  },
  currentUserSessionList: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/sessions'] },
  currentUserSessionDelete: {
    sent: { path: { session_id: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/me/sessions/${ids.project}`],
    missing: true,
  },
  currentUserSessionDeleteOthers: {
    sent: {},
    rule: 'member',
    allowed: () => ['/ext/v1/me/sessions/end-others'],
  },
}
