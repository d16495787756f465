import { readPrints } from '../authz/open-credentials.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Reconciler } from '../work/loop.ts'
import { isOver } from '../context/time.ts'
import { positions } from './positions.ts'

/** Polling interval for changes of other processes; changes of this process wake the feed at once. */
const pollMs = 200
/** Interval for checking the sessions and tokens of all listeners. */
const rollCallMs = 30_000

/** Delivers new changes. */
export const changeFeedLoop = (feed: ChangeFeed): Reconciler => ({
  name: 'change-feed',
  everyMs: pollMs,
  async run(services) {
    await feed.look()
    // A stream-only process publishes nothing itself.
    await positions(services).load()
    if (feed.last > (services.published ?? 0)) services.published = feed.last
    await feed.beat(services.clock().getTime())
  },
})

/**
 * Ends the streams of users who signed out. A loop of its own, because looking up 10,000 sessions takes a second, and no
 * change may wait for it.
 */
export function rollCallLoop(feed: ChangeFeed): Reconciler {
  let calledAt = 0
  return {
    name: 'roll-call',
    everyMs: 1000,
    async run(services) {
      const now = services.clock().getTime()
      if (!isOver(calledAt, now, rollCallMs)) return
      calledAt = now
      await feed.endSignedOut((credentials) => readPrints(services, credentials))
    },
  }
}
