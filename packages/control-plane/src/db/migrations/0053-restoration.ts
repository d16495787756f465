import type { Migration } from './migration.ts'

/** What one deletion took is in the bin together, and comes back together, as one durable task. */
export const restoration: Migration = {
  id: '0053-restoration',
  statements: [
    `ALTER TABLE recycled ADD COLUMN deletion_id uuid, ADD COLUMN deletion jsonb, ADD COLUMN refused_by uuid`,
    `CREATE INDEX recycled_deletion ON recycled (deletion_id, time_deleted, id) WHERE deletion_id IS NOT NULL`,
    `CREATE TABLE restoration (id uuid PRIMARY KEY, deletion_id uuid NOT NULL, kind text NOT NULL, object_id uuid NOT NULL,
      object_name text COLLATE "C" NOT NULL, new_name text COLLATE "C", silo_id uuid NOT NULL, project_id uuid,
      silo_user_id uuid NOT NULL, request jsonb NOT NULL, state text NOT NULL, done int4 NOT NULL DEFAULT 0,
      failed int4 NOT NULL DEFAULT 0, total int4 NOT NULL, attempts int4 NOT NULL DEFAULT 0, now jsonb,
      refusals jsonb NOT NULL DEFAULT '[]', refusal jsonb, time_created timestamptz NOT NULL, time_ended timestamptz)`,
    `CREATE UNIQUE INDEX restoration_running ON restoration (deletion_id) WHERE state = 'running'`,
    `CREATE INDEX restoration_ended ON restoration (time_ended)`,
  ],
}
