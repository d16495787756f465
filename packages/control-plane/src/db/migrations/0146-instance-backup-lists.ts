import type { Migration } from './migration.ts'

/** Backups of instances have tags, and lists of them are filtered and have more orders. */
export const instanceBackupLists: Migration = {
  id: '0146-instance-backup-lists',
  statements: [
    `ALTER TABLE instance_backup ADD COLUMN tags jsonb`,
    `CREATE INDEX instance_backup_by_state ON instance_backup (project_id, state, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_backup_by_size ON instance_backup (project_id, size, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_backup_by_created ON instance_backup (project_id, time_created, id)
      WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_backup_by_instance ON instance_backup (project_id, instance_name, id)
      WHERE time_deleted IS NULL`,
  ],
}
