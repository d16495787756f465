import type { Migration } from './migration.ts'

/** How a user wants lists of the console, where that differs from the default. */
export const listPreferences: Migration = {
  id: '0065-list-preferences',
  statements: [
    `CREATE TABLE list_preference (silo_user_id uuid NOT NULL, list text COLLATE "C" NOT NULL, columns jsonb NOT NULL,
      is_dense bool NOT NULL, page_size int4 NOT NULL, PRIMARY KEY (silo_user_id, list))`,
  ],
}
