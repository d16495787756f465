import { bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import { sql } from 'kysely'
import type { Services } from '@gantry/control-plane/context/services'
import type { Reconciler } from '@gantry/control-plane/work/loop'

export const actionRetention: Reconciler = {
  name: 'instance-actions',
  everyMs: 600_000,
  run: forgetOldActions,
}

/** Each has up to a thousand items. */
const actionsAtOnce = 10

export const forgottenBefore = (now: Date): Date =>
  new Date(now.getTime() - bulkActionLimits.keptHours * 3_600_000)

export async function forgetOldActions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = forgottenBefore(clock())
  const forgetSome = (): Promise<number> =>
    db.transaction().execute(async (tx) => {
      const old = await tx
        .selectFrom('instance_action')
        .select('id')
        .where('time_completed', '<=', before)
        .orderBy('time_completed')
        .limit(actionsAtOnce)
        .forUpdate()
        .skipLocked()
        .execute()
      const ids = sql`ANY (${old.map(({ id }) => id)}::uuid[])`
      await sql`DELETE FROM instance_action_item WHERE action_id = ${ids}`.execute(tx)
      await sql`DELETE FROM instance_action WHERE id = ${ids}`.execute(tx)
      return old.length
    })
  while ((await forgetSome()) === actionsAtOnce);
}
