import type { Migration } from './migration.ts'

/** Instance snapshots have tags, and lists of them are filtered and have more orders. */
export const instanceSnapshotTags: Migration = {
  id: '0119-instance-snapshot-tags',
  statements: [
    `ALTER TABLE instance_snapshot ADD COLUMN tags jsonb`,
    `CREATE INDEX instance_snapshot_by_state ON instance_snapshot (project_id, state, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_snapshot_by_size ON instance_snapshot (project_id, size, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_snapshot_by_created ON instance_snapshot (project_id, time_created, id)
      WHERE time_deleted IS NULL`,
  ],
}
