import type { Migration } from './migration.ts'

/** Which tags the new objects of a silo need, and the tags of what a saved plan creates. */
export const tagDemand: Migration = {
  id: '0075-tag-demand',
  statements: [
    `CREATE TABLE silo_tag_demand (silo_id uuid PRIMARY KEY, keys text[] NOT NULL, kinds text[] NOT NULL,
      is_for_all_clients boolean NOT NULL)`,
    `ALTER TABLE saved_plan ADD COLUMN tags jsonb`,
  ],
}
