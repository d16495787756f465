import { deliveryRules } from '@gantry/api/system/alert.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import type { Row } from '../../db/tables.ts'

/** A condition on alias `d`, as `isActivityClass` tells. */
const isActivity = sql<boolean>`d.alert_class LIKE 'activity.%'`

/** The fleet's conditions, then its activity, then what silos cause. */
const tier = sql`CASE WHEN d.silo_id IS NOT NULL THEN 2 WHEN ${isActivity} THEN 1 ELSE 0 END`

/**
 * The id of the delivery that a receiver is sent next, among those with this condition: of the fleet, or else of the silo
 * that was sent the fewest in the last minute, of its projects likewise, and conditions before activity. So neither silos
 * nor projects wait for the backlog of another.
 */
export const nextDelivery = (
  receiver: string,
  isDue: RawBuilder<boolean>,
  now: Date,
): RawBuilder<unknown> => {
  const minuteAgo = new Date(now.getTime() - 60_000)
  return sql`(
    WITH due AS MATERIALIZED (
      SELECT d.id, d.silo_id, d.project_id, d.position, ${tier} AS tier, ${isActivity} AS is_activity
      FROM alert_delivery d WHERE d.alert_receiver_id = ${receiver} AND ${isDue}
        AND NOT EXISTS (SELECT FROM alert_delivery o WHERE o.alert_receiver_id = d.alert_receiver_id
          AND o.subject = d.subject AND o.state = 'pending' AND o.position < d.position)
    ), sent AS MATERIALIZED (
      SELECT o.silo_id, o.project_id, count(*) AS count FROM alert_delivery o
      WHERE o.alert_receiver_id = ${receiver} AND o.silo_id IS NOT NULL
        AND o.time_sent > ${minuteAgo} AND o.time_sent <= ${now} GROUP BY o.silo_id, o.project_id
    ), to_silos AS (SELECT silo_id, sum(count) AS count FROM sent GROUP BY silo_id)
    SELECT d.id FROM alert_delivery d JOIN due ON due.id = d.id
    LEFT JOIN to_silos ON to_silos.silo_id = due.silo_id
    LEFT JOIN sent ON sent.silo_id = due.silo_id AND sent.project_id IS NOT DISTINCT FROM due.project_id
    WHERE due.silo_id IS NULL OR coalesce(sent.count, 0) < ${deliveryRules.projectPerMinute}
    ORDER BY due.tier, coalesce(to_silos.count, 0), coalesce(sent.count, 0), due.is_activity, due.position
    LIMIT 1 FOR UPDATE OF d SKIP LOCKED)`
}

/**
 * Drops what waits beyond the limits: the oldest of an owner, and of all owners those of the silo with the most. What was
 * sent once keeps its next attempts. A dropped delivery is listed as failed, and can be sent again.
 */
export async function dropSurplus(tx: Change, receivers: readonly string[]): Promise<void> {
  const { waitingPerOwner, waitingPerReceiver } = deliveryRules
  const { rows } = await sql<Pick<Row<'alert_delivery'>, 'id' | 'alert_receiver_id'>>`
    WITH waiting AS (
      SELECT d.id, d.alert_receiver_id, d.silo_id, ${tier} AS tier, d.position, row_number() OVER (
        PARTITION BY d.alert_receiver_id, d.silo_id, d.project_id, ${isActivity} ORDER BY d.position DESC) AS of_owner
      FROM alert_delivery d WHERE d.alert_receiver_id = ANY (${receivers}::uuid[]) AND d.state = 'pending'
        AND d.trigger = 'alert' AND d.time_sent IS NULL
    ), ranked AS (
      SELECT waiting.*, row_number() OVER (
        PARTITION BY alert_receiver_id, silo_id, tier ORDER BY of_owner, position DESC) AS of_silo FROM waiting
    ), placed AS (
      SELECT ranked.*, row_number() OVER (
        PARTITION BY alert_receiver_id ORDER BY tier, of_silo, position DESC) AS place FROM ranked
    )
    UPDATE alert_delivery SET state = 'failed', time_next = NULL FROM placed
    WHERE alert_delivery.id = placed.id AND (of_owner > ${waitingPerOwner} OR place > ${waitingPerReceiver})
      AND alert_delivery.time_sent IS NULL
    RETURNING alert_delivery.id, alert_delivery.alert_receiver_id`.execute(tx.plain)
  if (rows.length === 0) return
  for (const { id } of rows) tx.note('alert-delivery', id, undefined, { event: 'dropped' })
  tx.cx.services.log.warn(
    { receivers: [...new Set(rows.map((row) => row.alert_receiver_id))], count: rows.length },
    'alerts were dropped, because too many wait for their receivers',
  )
}

/** Whether a delivery was dropped: it failed without an attempt. */
export const isDropped = ({ state, attempts }: Pick<Row<'alert_delivery'>, 'state' | 'attempts'>): boolean =>
  state === 'failed' && attempts === 0
