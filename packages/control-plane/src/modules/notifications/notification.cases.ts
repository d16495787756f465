import type { notificationOps } from '@gantry/api/history/notification'
import { id } from '../../testing/case-values.ts'
import type { CasesOf } from '../../testing/operation-case.ts'

export const notificationCases: CasesOf<typeof notificationOps> = {
  notificationList: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/notifications'] },
  notificationRead: {
    sent: { body: { ids: [id] } },
    rule: 'member',
    allowed: () => ['/ext/v1/me/notifications/read', { ids: [id] }],
  },
  notificationChoicesView: {
    sent: {},
    rule: 'member',
    allowed: () => ['/ext/v1/me/notification-choices'],
  },
  notificationChoicesUpdate: {
    sent: { body: { muted: ['quota'] } },
    rule: 'member',
    allowed: () => ['/ext/v1/me/notification-choices', { muted: ['quota'] }],
  },
}
