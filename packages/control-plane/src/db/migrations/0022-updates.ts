import type { Migration } from './migration.ts'

const tracked = `id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz`

/** Software updates: who may sign releases, releases, their uploads, the target, and what each component runs. */
export const updates: Migration = {
  id: '0022-updates',
  statements: [
    `CREATE TABLE update_trust_root (${tracked}, root_role jsonb NOT NULL)`,
    `CREATE TABLE update_repository (${tracked}, name text COLLATE "C" NOT NULL, hash text NOT NULL,
      file_name text NOT NULL, targets_role_version int8 NOT NULL, valid_until timestamptz NOT NULL,
      size int8 NOT NULL, artifacts jsonb NOT NULL)`,
    `CREATE UNIQUE INDEX update_repository_name_key ON update_repository (name) WHERE time_deleted IS NULL`,
    `CREATE TABLE update_upload (${tracked}, file_name text NOT NULL, size int8 NOT NULL,
      received int8 NOT NULL DEFAULT 0, time_received timestamptz NOT NULL, state text NOT NULL,
      content_id uuid NOT NULL, system_version text, already_existed bool NOT NULL DEFAULT false, failure jsonb,
      is_stream bool NOT NULL)`,
    `CREATE INDEX update_upload_content ON update_upload (content_id) WHERE time_deleted IS NULL`,
    `CREATE TABLE target_release (generation int8 PRIMARY KEY, time_requested timestamptz NOT NULL,
      system_version text NOT NULL)`,
    `CREATE TABLE update_plan (id int4 PRIMARY KEY, is_suspended bool NOT NULL DEFAULT false,
      time_last_step timestamptz)`,
    `CREATE TABLE update_component (kind text NOT NULL, hardware_id uuid NOT NULL, version text, state text,
      target text, attempts int4 NOT NULL DEFAULT 0, reason text, drain_id uuid, reopens bool NOT NULL DEFAULT false,
      time_changed timestamptz NOT NULL, PRIMARY KEY (kind, hardware_id))`,
  ],
}
