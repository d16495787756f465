import type { TaskSource } from '../tasks/source.ts'
import { objectTasks, outcomeOf } from '../tasks/object-work.ts'

/** Backups that are being made or verified. */
export const instanceBackupTasks: TaskSource = objectTasks({
  kind: 'instance-backup',
  table: 'instance_backup',
  told: async (cx, works) => {
    const open = works.flatMap(({ begun, ending }) => (ending ? [] : [begun.object_id]))
    const rows =
      open.length === 0
        ? []
        : await cx.db
            .selectFrom('backup_work')
            .innerJoin('instance_backup', 'instance_backup.id', 'backup_work.instance_backup_id')
            .select([
              'instance_backup.id',
              'instance_backup.size',
              'backup_work.done',
              'backup_work.is_copied',
            ])
            .where('instance_backup.id', 'in', open)
            .execute()
    const found = new Map(rows.map((row) => [row.id, row]))
    return works.map(({ begun: { object_id, after }, ending }) => {
      const isVerification = after?.['state'] === 'verifying'
      const told = {
        verb: isVerification ? ('verify' as const) : ('take' as const),
        ...outcomeOf(ending, ['ready']),
      }
      const row = found.get(object_id)
      if (!row) return told
      return {
        ...told,
        step: !isVerification && !row.is_copied ? { number: 1, of: 2, label: 'copying the disks' } : null,
        progress: { unit: 'bytes' as const, done: row.done, running: 0, failed: 0, total: row.size },
        actions: isVerification
          ? []
          : [{ action: 'cancel' as const, operation: 'instance_backup_delete', target: object_id }],
      }
    })
  },
})
