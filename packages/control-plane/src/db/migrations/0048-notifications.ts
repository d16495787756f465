import type { Migration } from './migration.ts'

/** What a user is to know of, until it is read, and the kinds that they do not want to know of. */
export const notifications: Migration = {
  id: '0048-notifications',
  statements: [
    `CREATE TABLE notification (id uuid PRIMARY KEY, silo_user_id uuid NOT NULL, key text COLLATE "C" NOT NULL,
      kind text NOT NULL, time timestamptz NOT NULL, time_read timestamptz, title text NOT NULL, message text,
      next_step text, object_kind text, object_id uuid, object_name text, silo_id uuid, project_id uuid, task_id uuid)`,
    `CREATE UNIQUE INDEX notification_key ON notification (silo_user_id, key)`,
    `CREATE INDEX notification_unread ON notification (silo_user_id, time, id) WHERE time_read IS NULL`,
    `CREATE INDEX notification_time ON notification (time)`,
    `CREATE TABLE notification_mute (silo_user_id uuid NOT NULL, kind text NOT NULL, PRIMARY KEY (silo_user_id, kind))`,
  ],
}
