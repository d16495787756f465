import type { Migration } from './migration.ts'

/** Plans that wait for a user to commit them, and what silos demand a second person for. */
export const savedPlans: Migration = {
  id: '0054-saved-plans',
  statements: [
    `CREATE TABLE saved_plan (id uuid PRIMARY KEY, silo_id uuid NOT NULL, author_id uuid NOT NULL, note text,
      operation text NOT NULL, method text NOT NULL, path text NOT NULL, body text, plan jsonb NOT NULL, about jsonb,
      state text NOT NULL, ended_by uuid, time_created timestamptz NOT NULL, time_expires timestamptz NOT NULL,
      time_ended timestamptz)`,
    `CREATE INDEX saved_plan_open ON saved_plan (silo_id, time_created) WHERE state = 'open'`,
    `CREATE INDEX saved_plan_author ON saved_plan (author_id, time_created)`,
    `CREATE INDEX saved_plan_expires ON saved_plan (time_expires)`,
    `CREATE TABLE silo_four_eyes (silo_id uuid PRIMARY KEY, kinds text[] NOT NULL)`,
  ],
}
