import { restoresKeptDays } from '@gantry/api/storage/instance-snapshot.rules'
import { daysAgo, forgetOlder } from '@gantry/control-plane/db/retention'
import type { Reconciler } from '@gantry/control-plane/work/loop'

export const instanceRestoreRetention: Reconciler = {
  name: 'instance-restores',
  everyMs: 600_000,
  run: (services) =>
    forgetOlder(services, {
      table: 'instance_restore',
      time: 'time_ended',
      before: daysAgo(services, restoresKeptDays),
    }),
}
