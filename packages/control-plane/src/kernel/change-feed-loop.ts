import { openCredentials } from '../authz/open-credentials.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Reconciler } from './loop.ts'
import { isOver } from './time.ts'

/** Polling interval for changes of other processes; changes of this process wake the feed at once. */
const pollMs = 200
/** Interval for checking the sessions and tokens of all listeners. */
const rollCallMs = 30_000

/** Delivers new changes, and ends the streams of users who signed out. */
export function changeFeedLoop(feed: ChangeFeed): Reconciler {
  let calledAt = 0
  return {
    name: 'change-feed',
    everyMs: pollMs,
    async run(services) {
      await feed.look()
      // A stream-only process publishes nothing itself.
      if (feed.last > (services.published ?? 0)) services.published = feed.last
      const now = services.clock().getTime()
      await feed.beat(now)
      if (!isOver(calledAt, now, rollCallMs)) return
      calledAt = now
      await feed.endSignedOut((credentials) => openCredentials(services, credentials))
    },
  }
}
