import type { Migration } from './migration.ts'

/** Devices and their tokens, identity providers, and rate limits of attempts. */
export const signIn: Migration = {
  id: '0006-sign-in',
  statements: [
    `ALTER TABLE console_session ADD COLUMN user_agent text`,
    `ALTER TABLE console_session ADD COLUMN address text`,
    `CREATE TABLE device_auth_request (user_code text PRIMARY KEY, device_code_hash text NOT NULL,
      token_hash text NOT NULL, client_id uuid NOT NULL, ttl_seconds int8, time_created timestamptz NOT NULL, time_expires timestamptz NOT NULL)`,
    `CREATE TABLE device_access_token (id uuid PRIMARY KEY, token_hash text NOT NULL, device_code_hash text NOT NULL,
      client_id uuid NOT NULL, silo_user_id uuid NOT NULL, time_created timestamptz NOT NULL, time_expires timestamptz)`,
    `CREATE UNIQUE INDEX device_access_token_hash_key ON device_access_token (token_hash)`,
    `CREATE UNIQUE INDEX device_access_token_code_key ON device_access_token (device_code_hash)`,
    `CREATE INDEX device_access_token_user ON device_access_token (silo_user_id)`,
    `CREATE TABLE silo_auth_settings (silo_id uuid PRIMARY KEY, generation int8 NOT NULL, device_token_max_ttl_seconds int8)`,
    `CREATE TABLE saml_identity_provider (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      name text COLLATE "C" NOT NULL, description text NOT NULL, silo_id uuid NOT NULL, metadata text NOT NULL,
      idp_entity_id text NOT NULL, sp_client_id text NOT NULL, acs_url text NOT NULL, slo_url text NOT NULL,
      technical_contact_email text NOT NULL, public_cert text, group_attribute_name text)`,
    `CREATE UNIQUE INDEX saml_identity_provider_name_key ON saml_identity_provider (silo_id, name)
      WHERE time_deleted IS NULL`,
    `CREATE INDEX saml_identity_provider_silo_id ON saml_identity_provider (silo_id, id) WHERE time_deleted IS NULL`,
    // Separate from its provider, whose row is copied into the history.
    `CREATE TABLE saml_signing_key (saml_identity_provider_id uuid PRIMARY KEY, private_key text NOT NULL)`,
    `CREATE TABLE saml_used_assertion (saml_identity_provider_id uuid NOT NULL, assertion_hash text NOT NULL,
      time_expires timestamptz NOT NULL, PRIMARY KEY (saml_identity_provider_id, assertion_hash))`,
    `CREATE TABLE attempt (key text PRIMARY KEY, full_at timestamptz NOT NULL)`,
  ],
}
