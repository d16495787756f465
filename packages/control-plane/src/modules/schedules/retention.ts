import { scheduleLimits } from '@gantry/api/schedules/schedule.rules'
import { sql } from 'kysely'
import type { Services } from '../../context/services.ts'
import { daysAgo } from '../../db/retention.ts'
import type { Reconciler } from '../../work/loop.ts'

const runsAtOnce = 50

export const scheduleRetention: Reconciler = {
  name: 'schedule-runs',
  everyMs: 600_000,
  run: forgetOldRuns,
}

/** Deletes old runs, and the notes of snapshots and backups that no longer exist. */
export async function forgetOldRuns(services: Services): Promise<void> {
  const { db, ending } = services
  const before = daysAgo(services, scheduleLimits.keptDays)
  const forgetSome = (): Promise<number> =>
    db.transaction().execute(async (tx) => {
      const old = await tx
        .selectFrom('schedule_run')
        .select('id')
        .where('time_ended', '<=', before)
        .orderBy('time_ended')
        .limit(runsAtOnce)
        .forUpdate()
        .skipLocked()
        .execute()
      const ids = sql`ANY (${old.map(({ id }) => id)}::uuid[])`
      await sql`DELETE FROM schedule_run_item WHERE run_id = ${ids}`.execute(tx)
      await sql`DELETE FROM schedule_run WHERE id = ${ids}`.execute(tx)
      return old.length
    })
  while (!ending.aborted && (await forgetSome()) === runsAtOnce);
  // A deleted snapshot can come back from the recycle bin until its row is gone.
  await sql`DELETE FROM schedule_made m WHERE NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.id = m.snapshot_id)
    AND NOT EXISTS (SELECT 1 FROM instance_snapshot s WHERE s.id = m.snapshot_id)
    AND NOT EXISTS (SELECT 1 FROM instance_backup b WHERE b.id = m.snapshot_id)`.execute(db)
}
