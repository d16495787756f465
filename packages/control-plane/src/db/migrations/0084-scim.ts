import type { Migration } from './migration.ts'

/**
 * Users and groups that an identity provider manages by SCIM. It compares their names without regard to case: they are
 * unique as `folded_name`, which no other user or group has. The secret of a token stands apart from what history shows.
 */
export const scim: Migration = {
  id: '0084-scim',
  statements: [
    `ALTER TABLE silo ADD COLUMN admin_group_name text`,
    `ALTER TABLE silo_user ADD COLUMN is_active bool NOT NULL DEFAULT true`,
    ...['silo_user', 'silo_group'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN folded_name text COLLATE "C"`,
      `ALTER TABLE ${table} ADD COLUMN scim_external_id text COLLATE "C"`,
      `CREATE UNIQUE INDEX ${table}_folded_key ON ${table} (silo_id, folded_name)
        WHERE time_deleted IS NULL AND folded_name IS NOT NULL`,
      `CREATE INDEX ${table}_scim_external_id ON ${table} (silo_id, scim_external_id)
        WHERE time_deleted IS NULL AND scim_external_id IS NOT NULL`,
    ]),
    `CREATE TABLE scim_token (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, silo_id uuid NOT NULL, time_expires timestamptz)`,
    `CREATE INDEX scim_token_silo_id ON scim_token (silo_id, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX scim_token_deleted ON scim_token (time_deleted) WHERE time_deleted IS NOT NULL`,
    `CREATE TABLE scim_token_secret (scim_token_id uuid PRIMARY KEY, token_hash text NOT NULL)`,
    `CREATE UNIQUE INDEX scim_token_secret_hash_key ON scim_token_secret (token_hash)`,
  ],
}
