import type { Migration } from './migration.ts'

const pending = (table: string, states: string): string =>
  `CREATE INDEX ${table}_pending ON ${table} (id) WHERE time_deleted IS NULL AND ${states}`

/**
 * The change that began work of which a user is told names the source of the task. What the work is doing, and how it
 * ended, is read from the work itself.
 */
export const tasks: Migration = {
  id: '0047-tasks',
  statements: [
    `ALTER TABLE change ADD COLUMN task text`,
    `CREATE INDEX change_task_user ON change (((actor->>'silo_user_id')::uuid), time, id) WHERE task IS NOT NULL`,
    `CREATE INDEX change_task_project ON change (project_id, time, id) WHERE task IS NOT NULL`,
    `CREATE INDEX change_task_silo ON change (silo_id, time, id) WHERE task IS NOT NULL`,
    `CREATE INDEX change_task_object ON change (object_id, time, id) WHERE task IS NOT NULL`,
    `ALTER TABLE instance_action ADD COLUMN done_count int4, ADD COLUMN failed_count int4,
      ADD COLUMN total_count int4, ADD COLUMN time_cancelled timestamptz`,
    pending(
      'instance',
      `run_state IN ('creating', 'starting', 'stopping', 'rebooting', 'migrating', 'repairing')`,
    ),
    pending('disk', `state = 'creating'`),
    pending('snapshot', `state = 'creating'`),
    pending('image_upload', `state IN ('open', 'converting', 'completing')`),
    pending('support_bundle', `state = 'collecting'`),
    pending('sled', `policy = 'expunged' AND state <> 'decommissioned'`),
  ],
}
