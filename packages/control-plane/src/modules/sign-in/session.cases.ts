import type { sessionOps } from '@gantry/api/session'
import { id } from '../../testing/case-values.ts'
import { type CasesOf, ofUser } from '../../testing/operation-case.ts'

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
