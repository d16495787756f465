import type { Migration } from './migration.ts'

const tracked = `id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
  time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL, description text NOT NULL`

/**
 * Networks are kept with the numbers of their first and last address, by which free blocks are found; members also by
 * the keys that ranges of IP pools have, with which they must not overlap.
 */
export const subnetPools: Migration = {
  id: '0063-subnet-pools',
  statements: [
    `CREATE TABLE subnet_pool (${tracked}, ip_version text NOT NULL)`,
    `CREATE UNIQUE INDEX subnet_pool_name_key ON subnet_pool (name) WHERE time_deleted IS NULL`,
    `CREATE INDEX subnet_pool_deleted ON subnet_pool (time_deleted) WHERE time_deleted IS NOT NULL`,
    `CREATE TABLE subnet_pool_member (id uuid PRIMARY KEY, subnet_pool_id uuid NOT NULL, subnet text NOT NULL,
      first_key text COLLATE "C" NOT NULL, last_key text COLLATE "C" NOT NULL,
      first_int numeric(39,0) NOT NULL, last_int numeric(39,0) NOT NULL,
      min_prefix_length int4 NOT NULL, max_prefix_length int4 NOT NULL, time_created timestamptz NOT NULL)`,
    `CREATE INDEX subnet_pool_member_pool ON subnet_pool_member (subnet_pool_id, first_key)`,
    `CREATE INDEX subnet_pool_member_key ON subnet_pool_member (first_key)`,
    `CREATE TABLE subnet_pool_silo (subnet_pool_id uuid NOT NULL, silo_id uuid NOT NULL, ip_version text NOT NULL,
      is_default bool NOT NULL, PRIMARY KEY (silo_id, subnet_pool_id))`,
    `CREATE UNIQUE INDEX subnet_pool_silo_default_key ON subnet_pool_silo (silo_id, ip_version) WHERE is_default`,
    `CREATE INDEX subnet_pool_silo_pool ON subnet_pool_silo (subnet_pool_id)`,
    `CREATE TABLE external_subnet (${tracked}, project_id uuid NOT NULL, subnet text NOT NULL,
      first_int numeric(39,0) NOT NULL, last_int numeric(39,0) NOT NULL, subnet_pool_id uuid NOT NULL,
      subnet_pool_member_id uuid NOT NULL, instance_id uuid)`,
    `CREATE UNIQUE INDEX external_subnet_name_key ON external_subnet (project_id, name) WHERE time_deleted IS NULL`,
    `CREATE INDEX external_subnet_project_id ON external_subnet (project_id, id) WHERE time_deleted IS NULL`,
    `CREATE UNIQUE INDEX external_subnet_block_key ON external_subnet (subnet_pool_member_id, first_int)
      WHERE time_deleted IS NULL`,
    `CREATE INDEX external_subnet_pool ON external_subnet (subnet_pool_id) WHERE time_deleted IS NULL`,
    `CREATE INDEX external_subnet_instance ON external_subnet (instance_id)
      WHERE time_deleted IS NULL AND instance_id IS NOT NULL`,
    `CREATE INDEX external_subnet_deleted ON external_subnet (time_deleted) WHERE time_deleted IS NOT NULL`,
  ],
}
