import { sql } from 'kysely'

const lossFault = sql`fault.sled_id = sled.id AND fault.kind = 'sled_lost' AND fault.time_ended IS NULL`

/** A condition on `sled`: marked lost by a fault, or a host that the fleet cannot reach. */
export const isOutOfReach = sql<boolean>`(sled.time_unreachable IS NOT NULL OR EXISTS (SELECT FROM fault
  WHERE ${lossFault}))`

/** Since when a `sled` is out of reach, by whichever came first, or was when it was removed; null if it is not. */
export const outOfReachSince = sql<Date | null>`CASE WHEN sled.policy = 'expunged' THEN sled.time_lost
  ELSE LEAST(sled.time_unreachable, (SELECT min(fault.time_created) FROM fault WHERE ${lossFault})) END`
