import { sql } from 'kysely'

/** A condition on `sled`: marked lost by a fault, or a host that the fleet cannot reach. */
export const isOutOfReach = sql<boolean>`(sled.time_unreachable IS NOT NULL OR EXISTS (SELECT FROM fault
  WHERE fault.sled_id = sled.id AND fault.kind = 'sled_lost' AND fault.time_ended IS NULL))`
