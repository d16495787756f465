import { backupRestoresKeptDays } from '@gantry/api/backups/instance-backup.rules'
import { daysAgo, forgetOlder } from '@gantry/control-plane/db/retention'
import type { Reconciler } from '@gantry/control-plane/work/loop'

export const instanceBackupRestoreRetention: Reconciler = {
  name: 'instance-backup-restores',
  everyMs: 600_000,
  run: (services) =>
    forgetOlder(services, {
      table: 'instance_backup_restore',
      time: 'time_ended',
      before: daysAgo(services, backupRestoresKeptDays),
    }),
}
