import type { Migration } from './migration.ts'

/** Limits on credentials and on guessing them. */
export const signInLimits: Migration = {
  id: '0007-sign-in-limits',
  statements: [
    // The token is created when its device fetches it, once; no usable secret exists before.
    `ALTER TABLE device_auth_request DROP COLUMN token_hash`,
    `ALTER TABLE device_access_token ALTER COLUMN token_hash DROP NOT NULL`,
    `ALTER TABLE device_access_token ADD COLUMN time_fetched timestamptz`,
    `UPDATE device_access_token SET time_fetched = time_created`,
    // Tokens without an expiry get one, late enough for their owners to replace them.
    `UPDATE device_access_token SET time_expires = now() + interval '30 days' WHERE time_expires IS NULL`,
    `ALTER TABLE device_access_token ALTER COLUMN time_expires SET NOT NULL`,
    `CREATE TABLE signing_key (name text PRIMARY KEY, key text NOT NULL)`,
    `ALTER TABLE audit ADD COLUMN details jsonb`,
    `CREATE TABLE failed_sign_in (id uuid PRIMARY KEY, time timestamptz NOT NULL, silo_name text NOT NULL,
      username text NOT NULL, source_ip text NOT NULL, user_agent text)`,
    `CREATE INDEX failed_sign_in_time ON failed_sign_in (time)`,
    `CREATE TABLE refused_often (hour timestamptz NOT NULL, operation_id text NOT NULL, source_ip text NOT NULL,
      silo_user_id text NOT NULL, count int8 NOT NULL, PRIMARY KEY (hour, operation_id, source_ip, silo_user_id))`,
  ],
}
