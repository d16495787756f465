import { bulkActionLimits } from '@gantry/api/instance-action.rules'
import type { Services } from '../../kernel/services.ts'
import type { Reconciler } from '../../kernel/loop.ts'

export const actionRetention: Reconciler = {
  name: 'instance-actions',
  everyMs: 600_000,
  run: forgetOldActions,
}

export const forgottenBefore = (now: Date): Date =>
  new Date(now.getTime() - bulkActionLimits.keptHours * 3_600_000)

export async function forgetOldActions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const old = tx
      .selectFrom('instance_action')
      .select('id')
      .where('time_completed', '<=', forgottenBefore(clock()))
    await tx.deleteFrom('instance_action_item').where('action_id', 'in', old).execute()
    await tx.deleteFrom('instance_action').where('id', 'in', old).execute()
  })
}
