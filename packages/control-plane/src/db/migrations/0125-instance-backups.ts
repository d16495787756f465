import type { Migration } from './migration.ts'

/** Backups of instances, and the places where they are written. */
export const instanceBackups: Migration = {
  id: '0125-instance-backups',
  statements: [
    `CREATE TABLE backup_target (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      name text COLLATE "C" NOT NULL, description text NOT NULL, place jsonb NOT NULL, is_default boolean NOT NULL)`,
    `CREATE UNIQUE INDEX backup_target_name_key ON backup_target (name) WHERE time_deleted IS NULL`,
    `CREATE UNIQUE INDEX backup_target_default ON backup_target (is_default) WHERE time_deleted IS NULL AND is_default`,
    `CREATE INDEX backup_target_deleted ON backup_target (time_deleted) WHERE time_deleted IS NOT NULL`,
    `CREATE TABLE backup_target_inner (backup_target_id uuid PRIMARY KEY, encryption_key text NOT NULL,
      secret text NOT NULL, collect_since timestamptz, collecting text, damaged jsonb NOT NULL,
      time_damaged timestamptz)`,
    `CREATE TABLE instance_backup (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      name text COLLATE "C" NOT NULL, description text NOT NULL, project_id uuid NOT NULL, instance_id uuid NOT NULL,
      instance_name text COLLATE "C" NOT NULL, backup_target_id uuid NOT NULL, state text NOT NULL, failure jsonb,
      consistency text, size int8 NOT NULL, stored int8, time_taken timestamptz NOT NULL, time_verified timestamptz,
      disks jsonb NOT NULL, settings jsonb NOT NULL, user_data text NOT NULL)`,
    `CREATE UNIQUE INDEX instance_backup_name_key ON instance_backup (project_id, name) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_backup_of ON instance_backup (instance_id, time_taken) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_backup_in ON instance_backup (backup_target_id) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_backup_open ON instance_backup (id)
      WHERE time_deleted IS NULL AND state IN ('creating', 'verifying')`,
    `CREATE INDEX instance_backup_deleted ON instance_backup (time_deleted) WHERE time_deleted IS NOT NULL`,
    `CREATE TABLE backup_work (instance_backup_id uuid PRIMARY KEY, backup_target_id uuid NOT NULL,
      copies jsonb NOT NULL, is_copied boolean NOT NULL DEFAULT false, is_sending boolean NOT NULL DEFAULT false,
      done int8 NOT NULL DEFAULT 0, sent int8 NOT NULL DEFAULT 0,
      failures int4 NOT NULL DEFAULT 0)`,
    `CREATE TABLE instance_backup_restore (id uuid PRIMARY KEY, instance_backup_id uuid NOT NULL,
      backup_name text COLLATE "C" NOT NULL, silo_id uuid NOT NULL, project_id uuid NOT NULL,
      silo_user_id uuid NOT NULL, request jsonb NOT NULL, state text NOT NULL, failure jsonb, wanted jsonb NOT NULL,
      disks jsonb NOT NULL, instance_snapshot_id uuid NOT NULL, done int8 NOT NULL DEFAULT 0,
      failures int4 NOT NULL DEFAULT 0,
      time_created timestamptz NOT NULL, time_ended timestamptz)`,
    `CREATE INDEX instance_backup_restore_running ON instance_backup_restore (instance_backup_id)
      WHERE state = 'running'`,
    `CREATE INDEX instance_backup_restore_ended ON instance_backup_restore (time_ended)`,
  ],
}
