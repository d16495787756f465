import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useSyncExternalStore } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { useLiveState } from '#/data/live.ts'
import { opQuery } from '#/data/queries.ts'
import { browserNotifications } from '#/kit/page/browser-notifications.ts'
import { useStore } from '#/store.ts'

type Notifications = OutputOf<'notificationList'>
export type Notification = Notifications['items'][number]

/** Without the stream of changes, as of a hidden page. */
const pollMs = 15_000
const shown = 100

export const notifications = {
  ...opQuery(op.notificationList, { query: { limit: shown } }),
  enabled: () => !isAbsent(op.notificationList),
}

/** How they are kept up to date: the stream tells of them, and is closed while a page is hidden. */
export function useNotificationsInterval() {
  const isLive = useLiveState() === 'live'
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden)
  // A browser notification is for a hidden page.
  const isWantedThere = useStore(browserNotifications) === 'on'
  return {
    refetchInterval: isLive && !isHidden ? (false as const) : pollMs,
    refetchIntervalInBackground: isWantedThere,
  }
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
