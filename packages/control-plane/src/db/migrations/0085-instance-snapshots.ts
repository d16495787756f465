import type { Migration } from './migration.ts'

/** Snapshots of whole instances, to which snapshots of their disks belong. */
export const instanceSnapshots: Migration = {
  id: '0085-instance-snapshots',
  statements: [
    `CREATE TABLE instance_snapshot (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      name text COLLATE "C" NOT NULL, description text NOT NULL, project_id uuid NOT NULL, instance_id uuid NOT NULL,
      instance_name text COLLATE "C" NOT NULL, state text NOT NULL, failure jsonb, consistency text, size int8 NOT NULL,
      disks jsonb NOT NULL, settings jsonb NOT NULL, user_data text NOT NULL)`,
    `CREATE UNIQUE INDEX instance_snapshot_name_key ON instance_snapshot (project_id, name) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_snapshot_of ON instance_snapshot (instance_id, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_snapshot_open ON instance_snapshot (id) WHERE time_deleted IS NULL AND state IN ('creating')`,
    `CREATE INDEX instance_snapshot_deleted ON instance_snapshot (time_deleted) WHERE time_deleted IS NOT NULL`,
    `ALTER TABLE snapshot ADD COLUMN instance_snapshot_id uuid`,
    `CREATE INDEX snapshot_of_instance_snapshot ON snapshot (instance_snapshot_id) WHERE instance_snapshot_id IS NOT NULL`,
  ],
}
