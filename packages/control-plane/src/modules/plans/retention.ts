import { savedPlanLimits } from '@gantry/api/history/saved-plan.rules'
import { daysAgo, forgetOlder } from '../../db/retention.ts'
import type { Reconciler } from '../../work/loop.ts'

/** What a committed plan did stays in the account of what happened. */
export const savedPlanRetention: Reconciler = {
  name: 'saved-plans',
  everyMs: 600_000,
  run: (services) =>
    forgetOlder(services, {
      table: 'saved_plan',
      time: 'time_expires',
      before: daysAgo(services, savedPlanLimits.keptDays),
    }),
}
