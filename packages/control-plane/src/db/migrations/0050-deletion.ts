import type { Migration } from './migration.ts'

/** Deletions of an object with all that goes with it, each one durable task. */
export const deletion: Migration = {
  id: '0050-deletion',
  statements: [
    `CREATE TABLE deletion (id uuid PRIMARY KEY, kind text NOT NULL, object_id uuid NOT NULL,
      object_name text COLLATE "C" NOT NULL, silo_id uuid, project_id uuid, silo_user_id uuid NOT NULL,
      request jsonb NOT NULL, is_for_good bool NOT NULL, state text NOT NULL, done int4 NOT NULL DEFAULT 0, total int4 NOT NULL,
      waiting int4 NOT NULL DEFAULT 0, failures int4 NOT NULL DEFAULT 0, now jsonb, refusal jsonb, time_created timestamptz NOT NULL,
      time_ended timestamptz)`,
    `CREATE UNIQUE INDEX deletion_running ON deletion (object_id) WHERE state = 'running'`,
    `CREATE INDEX deletion_recent ON deletion (silo_user_id, time_created, id)`,
    `CREATE INDEX deletion_ended ON deletion (time_ended)`,
    // By which a plan finds the disks that were made from an image.
    `CREATE INDEX disk_image ON disk (image_id) WHERE image_id IS NOT NULL AND time_deleted IS NULL`,
  ],
}
