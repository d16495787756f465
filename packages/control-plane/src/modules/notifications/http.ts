import { implement } from '../../pipeline/implement.ts'
import { listNotifications, readNotifications, updateChoices, viewChoices } from './notifications.ts'

export const notificationsHttp = implement({
  notificationList: (cx, { query }) => listNotifications(cx, query),
  notificationRead: (cx, { body }) => readNotifications(cx, body.ids),
  notificationChoicesView: (cx) => viewChoices(cx),
  notificationChoicesUpdate: (cx, { body }) => updateChoices(cx, body),
})
