import { sql } from 'kysely'
import type { TaskSource, Told } from '../../tasks/source.ts'
import type { Restore } from './store.ts'

/** Restores of backups. */
export const instanceBackupRestoreTasks: TaskSource = {
  kind: 'instance-backup-restore',
  open: sql`SELECT id FROM instance_backup_restore WHERE state = 'running'`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db
      .selectFrom('instance_backup_restore')
      .selectAll()
      .where('id', 'in', ids)
      .execute()
    const restores = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const restore = restores.get(object_id)
        return restore ? [[id, toldOf(restore)]] : []
      }),
    )
  },
}

function toldOf({ instance_backup_id, backup_name, state, failure, disks, done, time_ended }: Restore): Told {
  const total = disks.reduce((sum, { size }) => sum + size, 0)
  return {
    verb: 'restore',
    object: { kind: 'instance-backup', id: instance_backup_id, name: backup_name },
    state: state === 'done' ? 'finished' : state,
    time_ended,
    progress: state === 'running' ? { unit: 'bytes', done, running: 0, failed: 0, total } : null,
    failure,
  }
}
