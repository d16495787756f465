import type { Migration } from './migration.ts'

/** One-time passwords, sign-ins pending a new password, and test sign-ins at identity providers. */
export const siloPeople: Migration = {
  id: '0012-silo-people',
  statements: [
    `ALTER TABLE silo_user_password ADD COLUMN is_one_time boolean NOT NULL DEFAULT false`,
    `ALTER TABLE pending_sign_in ADD COLUMN waits_for text NOT NULL DEFAULT 'second_factor',
      ADD COLUMN factor_shown boolean NOT NULL DEFAULT false`,
    `CREATE TABLE saml_sign_in_test (id uuid PRIMARY KEY, secret_hash text NOT NULL, silo_user_id uuid NOT NULL,
      saml_identity_provider_id uuid NOT NULL, redirect_uri text NOT NULL, time_expires timestamptz NOT NULL,
      result jsonb)`,
    `CREATE UNIQUE INDEX saml_sign_in_test_secret_key ON saml_sign_in_test (secret_hash)`,
    `CREATE UNIQUE INDEX saml_sign_in_test_user_key ON saml_sign_in_test (silo_user_id, saml_identity_provider_id)`,
  ],
}
