import type { Migration } from './migration.ts'

/** Pools of multicast addresses, the groups that have one, and their members. A silo has a default pool of each type. */
export const multicastGroups: Migration = {
  id: '0098-multicast-groups',
  statements: [
    `ALTER TABLE ip_pool ADD COLUMN pool_type text NOT NULL DEFAULT 'unicast'`,
    `ALTER TABLE ip_pool_silo ADD COLUMN pool_type text NOT NULL DEFAULT 'unicast'`,
    `DROP INDEX ip_pool_silo_default_key`,
    `CREATE UNIQUE INDEX ip_pool_silo_default_key ON ip_pool_silo (silo_id, pool_type) WHERE is_default`,
    `CREATE TABLE multicast_group (id uuid PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, description text NOT NULL,
      multicast_ip text NOT NULL, ip_key text COLLATE "C" NOT NULL UNIQUE, ip_pool_id uuid NOT NULL,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL)`,
    `CREATE INDEX multicast_group_pool ON multicast_group (ip_pool_id, ip_key)`,
    `CREATE TABLE multicast_group_member (id uuid PRIMARY KEY, multicast_group_id uuid NOT NULL, instance_id uuid NOT NULL,
      source_ips jsonb NOT NULL, time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL,
      UNIQUE (instance_id, multicast_group_id))`,
    `CREATE INDEX multicast_group_member_group ON multicast_group_member (multicast_group_id, id)`,
  ],
}
