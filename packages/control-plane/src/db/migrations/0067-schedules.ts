import type { Migration } from './migration.ts'

/** Schedules of projects, and their runs: the unique index lets each due time have one run, whatever ends meanwhile. */
export const schedules: Migration = {
  id: '0067-schedules',
  statements: [
    `CREATE TABLE schedule (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL,
      description text NOT NULL, project_id uuid NOT NULL, action text NOT NULL, objects jsonb, filter text,
      timing jsonb NOT NULL, timezone text NOT NULL, keep jsonb, is_enabled bool NOT NULL)`,
    `CREATE UNIQUE INDEX schedule_name_key ON schedule (project_id, name) WHERE time_deleted IS NULL`,
    `CREATE INDEX schedule_deleted ON schedule (time_deleted) WHERE time_deleted IS NOT NULL`,
    `CREATE TABLE schedule_clock (schedule_id uuid PRIMARY KEY, next_run timestamptz NOT NULL)`,
    `CREATE INDEX schedule_clock_next ON schedule_clock (next_run)`,
    `CREATE TABLE schedule_run (id uuid PRIMARY KEY, schedule_id uuid NOT NULL, schedule_name text COLLATE "C" NOT NULL,
      silo_id uuid NOT NULL, project_id uuid NOT NULL, due timestamptz NOT NULL, state text NOT NULL,
      missed int4 NOT NULL DEFAULT 0, reason text, total int4, done int4 NOT NULL DEFAULT 0,
      failed int4 NOT NULL DEFAULT 0, removed int4 NOT NULL DEFAULT 0, time_begun timestamptz NOT NULL,
      time_ended timestamptz)`,
    `CREATE UNIQUE INDEX schedule_run_due ON schedule_run (schedule_id, due)`,
    `CREATE INDEX schedule_run_open ON schedule_run (id) WHERE time_ended IS NULL`,
    `CREATE INDEX schedule_run_ended ON schedule_run (time_ended)`,
    `CREATE TABLE schedule_run_item (run_id uuid NOT NULL, position int4 NOT NULL, object_id uuid NOT NULL,
      name text COLLATE "C" NOT NULL, state text NOT NULL, error jsonb, snapshot_id uuid,
      snapshot_name text COLLATE "C", PRIMARY KEY (run_id, position))`,
    `CREATE TABLE schedule_made (snapshot_id uuid PRIMARY KEY, schedule_id uuid NOT NULL, object_id uuid NOT NULL,
      time timestamptz NOT NULL)`,
    `CREATE INDEX schedule_made_of ON schedule_made (schedule_id, object_id, time)`,
  ],
}
