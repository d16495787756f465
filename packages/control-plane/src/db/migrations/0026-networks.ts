import type { Migration } from './migration.ts'

/** The wanted network of each VPC with machines, beside the one in force. */
export const networks: Migration = {
  id: '0026-networks',
  statements: [
    `CREATE TABLE vpc_network (
      vpc_id uuid PRIMARY KEY,
      generation int8 NOT NULL DEFAULT 0,
      digest text NOT NULL DEFAULT '',
      time_changed timestamptz NOT NULL,
      applied_generation int8 NOT NULL DEFAULT 0,
      time_applied timestamptz,
      problem jsonb,
      revision int8 NOT NULL DEFAULT 0,
      seen_revision int8 NOT NULL DEFAULT 0,
      attempts int8 NOT NULL DEFAULT 0,
      retry_at timestamptz,
      lease_until timestamptz,
      lease_holder uuid
    )`,
    `CREATE INDEX vpc_network_pending ON vpc_network (vpc_id) WHERE seen_revision < revision`,
  ],
}
