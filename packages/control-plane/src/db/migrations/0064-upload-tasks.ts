import type { Migration } from './migration.ts'

/** Uploads of repositories and imports of disks are tasks, too; those that have work are found by index. */
export const uploadTasks: Migration = {
  id: '0064-upload-tasks',
  statements: [
    `DROP INDEX disk_pending`,
    `CREATE INDEX disk_pending ON disk (id) WHERE time_deleted IS NULL
      AND state IN ('creating', 'importing_from_bulk_writes', 'finalizing')`,
    `CREATE INDEX update_upload_pending ON update_upload (id) WHERE time_deleted IS NULL
      AND state IN ('open', 'checking')`,
  ],
}
