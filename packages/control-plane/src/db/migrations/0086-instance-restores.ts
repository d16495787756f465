import type { Migration } from './migration.ts'

/** Returns of instances' disks to a snapshot: one at a time for each instance. */
export const instanceRestores: Migration = {
  id: '0086-instance-restores',
  statements: [
    `CREATE TABLE instance_restore (id uuid PRIMARY KEY, instance_snapshot_id uuid NOT NULL,
      snapshot_name text COLLATE "C" NOT NULL, instance_id uuid NOT NULL, instance_name text COLLATE "C" NOT NULL,
      silo_id uuid NOT NULL, project_id uuid NOT NULL, silo_user_id uuid NOT NULL, request jsonb NOT NULL,
      state text NOT NULL, failure jsonb, kept_id uuid, stopped_since timestamptz NOT NULL, disks jsonb NOT NULL,
      done int4 NOT NULL DEFAULT 0, time_created timestamptz NOT NULL, time_ended timestamptz)`,
    `CREATE UNIQUE INDEX instance_restore_running ON instance_restore (instance_id) WHERE state = 'running'`,
    `CREATE INDEX instance_restore_ended ON instance_restore (time_ended)`,
  ],
}
