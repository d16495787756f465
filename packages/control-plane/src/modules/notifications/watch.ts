import { notificationLimits } from '@gantry/api/history/notification.rules'
import { sql } from 'kysely'
import { change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { daysAgo, forgetOlder } from '../../db/retention.ts'
import type { Reconciler } from '../../work/loop.ts'
import { lastSequence } from '../../stream/publisher.ts'
import { large } from '../history/member.ts'
import { ofChanges } from './of-changes.ts'
import { ofConditions } from './of-conditions.ts'
import { ownersOfTasks, type Seen } from './of-tasks.ts'
import { raise, tellUser } from './raise.ts'

/** The number of the last change that was considered. */
const counter = 'notifications'
/** Changes of one turn. */
const batch = 200

/** Notifies users of what changes mean for them, each change once, in the order of their numbers. */
export const notificationWatch: Reconciler = {
  name: 'notifications',
  everyMs: 1000,
  run: async (services) => ((await considerChanges(services)) ? 0 : undefined),
}

/** Whether more changes wait. */
export async function considerChanges(services: Services): Promise<boolean> {
  const { db } = services
  const begun = await db.selectFrom('counter').select('value').where('name', '=', counter).executeTakeFirst()
  if (!begun) {
    // What happened before is no news.
    await sql`INSERT INTO counter (name, value) VALUES (${counter}, ${await lastSequence(db)})
      ON CONFLICT (name) DO NOTHING`.execute(db)
    return false
  }
  const { rows } = await sql<Seen>`
    SELECT id, seq, kind, op, object_id, name, time, silo_id, project_id, actor, action,
      before - ${large}::text[] AS before, after - ${large}::text[] AS after
    FROM change WHERE seq > ${begun.value} ORDER BY seq LIMIT ${batch}`.execute(db)
  const last = rows.at(-1)?.seq
  if (last === undefined || last === null) return false
  const cx = systemCx(services, 'reconcile:notifications')
  const raised = await ofChanges(cx, rows)
  const owners = await ownersOfTasks(cx, rows)
  await change(cx, fleetScope, async (tx) => {
    const moved = await tx.plain
      .updateTable('counter')
      .set({ value: last })
      .where('name', '=', counter)
      .where('value', '=', begun.value)
      .executeTakeFirst()
    // Another process was first.
    if (moved.numUpdatedRows === 0n) return
    await raise(tx, raised)
    for (const [user, silo] of owners) tellUser(tx, 'task', user, silo)
  })
  return rows.length === batch
}

/** Notifies users of pending conditions, and forgets old notifications. */
export const notificationUpkeep: Reconciler = {
  name: 'notification-upkeep',
  everyMs: 60_000,
  async run(services) {
    const cx = systemCx(services, 'reconcile:notifications')
    const raised = await ofConditions(cx)
    if (raised.length > 0) await change(cx, fleetScope, (tx) => raise(tx, raised))
    const before = daysAgo(services, notificationLimits.keptDays)
    await forgetOlder(services, { table: 'notification', time: 'time', before })
  },
}
