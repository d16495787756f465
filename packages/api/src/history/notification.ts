import { z } from 'zod'
import { family, get, post, put } from '../op.ts'
import { list, maybe, named, pageOf, paging, Timestamp, Uuid } from '../schema.ts'
import { TimeAndIdSortMode } from '../system/audit.ts'
import { notificationKindNames, notificationLimits, notificationSorts } from './notification.rules.ts'

const Place = z.object({ id: Uuid, name: z.string() }).nullable()
const NotificationKind = named('NotificationKind', z.enum(notificationKindNames))

const Notification = named(
  'Notification',
  z.object({
    id: Uuid,
    kind: NotificationKind,
    time: Timestamp,
    /** What happened, as a heading without a full stop. */
    title: z.string(),
    /** Why, in whole sentences; null if the title says it all. */
    message: z.string().nullable(),
    next_step: z.string().nullable(),
    object: z.object({ kind: z.string(), id: Uuid, name: z.string().nullable() }).nullable(),
    project: Place,
    silo: Place,
    /** The task that it is about. */
    task_id: Uuid.nullable(),
  }),
)
export type Notification = z.infer<typeof Notification>

const NotificationChoices = named(
  'NotificationChoices',
  z.object({
    /** Kinds of which the user is not notified. */
    muted: list(NotificationKind, notificationKindNames.length),
  }),
)
export type NotificationChoices = z.infer<typeof NotificationChoices>

/** A page token also carries the filters. */
export const notificationTokenMax = 4096

export const notificationOps = family('extensions', ['notification'], {
  notificationList: get('/ext/v1/me/notifications', {
    summary: 'List your unread notifications, newest first',
    query: z.object({ ...paging(notificationTokenMax), sort_by: maybe(TimeAndIdSortMode) }),
    sorts: notificationSorts,
    returns: pageOf('Notification', Notification),
  }),
  notificationRead: post('/ext/v1/me/notifications/read', {
    summary: 'Mark notifications as read',
    body: named('NotificationRead', z.object({ ids: list(Uuid, notificationLimits.readAtOnce) })),
    status: 204,
  }),
  notificationChoicesView: get('/ext/v1/me/notification-choices', {
    summary: 'Fetch what you are notified of',
    returns: NotificationChoices,
  }),
  notificationChoicesUpdate: put('/ext/v1/me/notification-choices', {
    summary: 'Choose what you are notified of',
    body: NotificationChoices,
    returns: NotificationChoices,
  }),
})
