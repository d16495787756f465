import { restorationLimits } from '@gantry/api/history/recycle-bin.rules'
import { daysAgo, forgetOlder } from '@gantry/control-plane/db/retention'
import type { Reconciler } from '@gantry/control-plane/work/loop'

export const restorationRetention: Reconciler = {
  name: 'restorations',
  everyMs: 600_000,
  run: (services) =>
    forgetOlder(services, {
      table: 'restoration',
      time: 'time_ended',
      before: daysAgo(services, restorationLimits.keptDays),
    }),
}
