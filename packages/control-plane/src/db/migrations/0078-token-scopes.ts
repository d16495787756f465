import type { Migration } from './migration.ts'

/** Tokens that users make themselves, with a name and a scope, and when each token was last used. */
export const tokenScopes: Migration = {
  id: '0078-token-scopes',
  statements: [
    `ALTER TABLE device_access_token ALTER COLUMN device_code_hash DROP NOT NULL`,
    `ALTER TABLE device_access_token ALTER COLUMN client_id DROP NOT NULL`,
    `ALTER TABLE device_access_token ADD COLUMN name text`,
    `ALTER TABLE device_access_token ADD COLUMN description text`,
    `ALTER TABLE device_access_token ADD COLUMN scope jsonb`,
    `ALTER TABLE device_access_token ADD COLUMN time_last_used timestamptz`,
    `ALTER TABLE device_access_token ADD COLUMN last_address text`,
    `ALTER TABLE device_access_token ADD COLUMN last_user_agent text`,
  ],
}
