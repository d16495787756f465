import type { Migration } from './migration.ts'

/** Objects that users keep at hand. What is gone is not listed, and makes room for others. */
export const favourites: Migration = {
  id: '0079-favourites',
  statements: [
    `CREATE TABLE favourite (silo_user_id uuid NOT NULL, object_id uuid NOT NULL, kind text NOT NULL,
      time_created timestamptz NOT NULL, PRIMARY KEY (silo_user_id, object_id))`,
  ],
}
