import { recycleBinItems } from '@gantry/api/history/recycle-bin.rules'
import { sql } from 'kysely'
import { change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { jumps } from '../../work/clock.ts'
import type { Reconciler } from '../../work/loop.ts'
import { purge } from './purge.ts'

/** Items that go in one change, so that no request waits for a bin that is emptied. */
const atOnce = 100
/** A clock that is ahead must not cost anyone what was promised to be kept: it is believed once it stayed there. */
const trustedAfterMs = 600_000
const jumpMs = 60_000

/** Deletes for good what is over. */
export function recycleBinExpiry(): Reconciler {
  const jumpOf = jumps(jumpMs)
  let trustedFrom = -Infinity
  return {
    name: 'recycle-bin',
    everyMs: 5000,
    async run(services) {
      const now = services.clock()
      const running = performance.now()
      if (jumpOf(now) > 0) trustedFrom = running + trustedAfterMs
      if (running < trustedFrom) return
      await purgeAll(services, sql`time_expires <= ${now} AND NOT ${isBeingRestored}`, 'expired')
    },
  }
}

const isBeingRestored = sql`EXISTS (SELECT FROM restoration r
  WHERE r.deletion_id = recycled.deletion_id AND r.state = 'running')`

/** Deletes for good the oldest of a silo whose bin holds too much: rarely needed, and it counts all items. */
export const recycleBinBound: Reconciler = {
  name: 'recycle-bin-bound',
  everyMs: 60_000,
  run: (services) => purgeAll(services, isTooMuch, 'bin'),
}

const isTooMuch = sql`id IN (SELECT r.id FROM (
    SELECT silo_id FROM recycled GROUP BY silo_id HAVING count(*) > ${recycleBinItems}) full_bin,
  LATERAL (SELECT id FROM recycled WHERE silo_id = full_bin.silo_id
    ORDER BY time_deleted DESC, id DESC OFFSET ${recycleBinItems}) r)`

async function purgeAll(
  services: Services,
  which: ReturnType<typeof sql>,
  reason: 'expired' | 'bin',
): Promise<void> {
  const cx = systemCx(services, 'reconcile:recycle-bin')
  const some = sql`id IN (SELECT id FROM recycled WHERE ${which} ORDER BY time_deleted LIMIT ${atOnce})`
  for (let gone = atOnce; gone === atOnce && !services.ending.aborted;)
    gone = (await change(cx, fleetScope, (tx) => purge(tx, some, reason))).length
}
