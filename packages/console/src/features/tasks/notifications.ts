import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'
import { browserNotifications } from '#/kit/page/browser-notifications.ts'

type Notifications = OutputOf<'notificationList'>
export type Notification = Notifications['items'][number]

/** They come from the platform, of which the stream says nothing to one user alone. */
const pollMs = 15_000
const shown = 100

export const notifications = {
  ...opQuery(op.notificationList, { query: { limit: shown } }),
  enabled: () => !isAbsent(op.notificationList),
  refetchInterval: pollMs,
  // A browser notification is for a hidden page.
  refetchIntervalInBackground: browserNotifications.get() === 'on',
}
