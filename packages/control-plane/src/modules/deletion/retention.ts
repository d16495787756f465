import { deletionLimits } from '@gantry/api/history/deletion.rules'
import { daysAgo, forgetOlder } from '../../db/retention.ts'
import type { Reconciler } from '../../work/loop.ts'

/** What was deleted stays in the account of what happened. */
export const deletionRetention: Reconciler = {
  name: 'deletions',
  everyMs: 600_000,
  run: (services) =>
    forgetOlder(services, {
      table: 'deletion',
      time: 'time_ended',
      before: daysAgo(services, deletionLimits.keptDays),
    }),
}
