import type { Migration } from './migration.ts'

const sortedBy = (table: string, state: string): string[] =>
  ['time_created', state].map(
    (column) =>
      `CREATE INDEX ${table}_by_${column} ON ${table} (project_id, ${column}, id) WHERE time_deleted IS NULL`,
  )

/**
 * Actions on many instances at once, each with its items; and indexes for the sort keys of lists in a
 * project.
 */
export const compute: Migration = {
  id: '0003-compute',
  statements: [
    `CREATE TABLE instance_action (id uuid PRIMARY KEY, silo_id uuid NOT NULL, project_id uuid NOT NULL,
      silo_user_id uuid NOT NULL, action text NOT NULL, request jsonb NOT NULL, time_created timestamptz NOT NULL,
      time_completed timestamptz)`,
    `CREATE INDEX instance_action_recent ON instance_action (silo_user_id, project_id, time_created, id)`,
    `CREATE INDEX instance_action_completed ON instance_action (time_completed)`,
    `CREATE TABLE instance_action_item (action_id uuid NOT NULL, position int4 NOT NULL, instance_id uuid,
      name text COLLATE "C", state text NOT NULL, error jsonb, PRIMARY KEY (action_id, position))`,
    ...sortedBy('instance', 'run_state'),
    ...sortedBy('disk', 'state'),
    ...sortedBy('snapshot', 'state'),
  ],
}
