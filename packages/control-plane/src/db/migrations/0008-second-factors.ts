import type { Migration } from './migration.ts'

/** Passkeys, authenticator apps, recovery codes, and sign-ins that are pending a second factor. */
export const secondFactors: Migration = {
  id: '0008-second-factors',
  statements: [
    `ALTER TABLE silo_auth_settings ADD COLUMN second_factor text NOT NULL DEFAULT 'optional'`,
    `ALTER TABLE console_session ADD COLUMN time_confirmed timestamptz`,
    `CREATE TABLE passkey (id uuid PRIMARY KEY, silo_user_id uuid NOT NULL, credential_id text NOT NULL, rp_id text NOT NULL,
      public_key text NOT NULL, sign_count int8 NOT NULL, transports jsonb NOT NULL, name text NOT NULL,
      time_created timestamptz NOT NULL, time_last_used timestamptz)`,
    `CREATE UNIQUE INDEX passkey_credential_key ON passkey (credential_id)`,
    `CREATE INDEX passkey_user ON passkey (silo_user_id)`,
    `CREATE TABLE passkey_challenge (challenge_hash text PRIMARY KEY, use text NOT NULL, silo_user_id uuid,
      time_expires timestamptz NOT NULL)`,
    `CREATE TABLE totp (silo_user_id uuid PRIMARY KEY, secret text NOT NULL, last_step int8 NOT NULL,
      time_created timestamptz NOT NULL, time_last_used timestamptz)`,
    `CREATE TABLE totp_set_up (silo_user_id uuid PRIMARY KEY, secret text NOT NULL, time_expires timestamptz NOT NULL)`,
    `CREATE TABLE recovery_code (silo_user_id uuid NOT NULL, code_hash text NOT NULL, PRIMARY KEY (silo_user_id, code_hash))`,
    `CREATE TABLE pending_sign_in (secret_hash text PRIMARY KEY, silo_user_id uuid NOT NULL, password_hash text NOT NULL,
      time_created timestamptz NOT NULL, time_expires timestamptz NOT NULL)`,
    `CREATE INDEX pending_sign_in_user ON pending_sign_in (silo_user_id)`,
  ],
}
