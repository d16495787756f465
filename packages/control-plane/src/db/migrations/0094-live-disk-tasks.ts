import type { Migration } from './migration.ts'

/** Disks that a running instance gets or releases are tasks, which are found by index. */
export const liveDiskTasks: Migration = {
  id: '0094-live-disk-tasks',
  statements: [
    `DROP INDEX disk_pending`,
    `CREATE INDEX disk_pending ON disk (id) WHERE time_deleted IS NULL
      AND state IN ('creating', 'importing_from_bulk_writes', 'finalizing', 'attaching', 'detaching')`,
  ],
}
