import type { Migration } from './migration.ts'

const tracked = `id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
  time_modified timestamptz NOT NULL, time_deleted timestamptz`
const baseboard = `part text NOT NULL, serial text NOT NULL, revision int4 NOT NULL`

/**
 * Racks, switches, physical disks, drains, ranges of IPv6 addresses, and faults that end. A database with
 * sleds gets a rack for them, and a pool for the rack's own services.
 */
export const rack: Migration = {
  id: '0013-rack',
  statements: [
    `CREATE TABLE rack (${tracked})`,
    `INSERT INTO rack (id, time_created, time_modified) SELECT gen_random_uuid(), now(), now()
      WHERE EXISTS (SELECT 1 FROM sled)`,
    `ALTER TABLE sled ADD COLUMN part text NOT NULL DEFAULT 'gantry-sled', ADD COLUMN revision int4 NOT NULL DEFAULT 1,
      ADD COLUMN rack_id uuid, ADD COLUMN cubby int4, ADD COLUMN policy text NOT NULL DEFAULT 'in_service',
      ADD COLUMN state text NOT NULL DEFAULT 'active'`,
    `UPDATE sled SET rack_id = (SELECT id FROM rack LIMIT 1),
      cubby = (SELECT count(*) FROM sled before WHERE before.serial < sled.serial)`,
    `ALTER TABLE sled ALTER COLUMN rack_id SET NOT NULL, ALTER COLUMN cubby SET NOT NULL,
      ALTER COLUMN part DROP DEFAULT, ALTER COLUMN revision DROP DEFAULT, ALTER COLUMN policy DROP DEFAULT,
      ALTER COLUMN state DROP DEFAULT`,
    `CREATE UNIQUE INDEX sled_baseboard_key ON sled (serial, part) WHERE time_deleted IS NULL`,
    `CREATE TABLE switch (${tracked}, ${baseboard}, rack_id uuid NOT NULL)`,
    `CREATE TABLE physical_disk (${tracked}, sled_id uuid, vendor text NOT NULL, serial text NOT NULL,
      model text NOT NULL, form_factor text NOT NULL, policy text NOT NULL, state text NOT NULL)`,
    `CREATE INDEX physical_disk_sled ON physical_disk (sled_id, id) WHERE time_deleted IS NULL`,
    `CREATE TABLE uninitialized_sled (${baseboard}, rack_id uuid NOT NULL, cubby int4 NOT NULL,
      usable_hardware_threads int4 NOT NULL, usable_physical_ram int8 NOT NULL, PRIMARY KEY (serial, part))`,
    `CREATE TABLE sled_drain (id uuid PRIMARY KEY, sled_id uuid NOT NULL, mode text NOT NULL, state text NOT NULL,
      time_created timestamptz NOT NULL, time_ended timestamptz)`,
    `CREATE UNIQUE INDEX sled_drain_running_key ON sled_drain (sled_id) WHERE state = 'running'`,
    `CREATE INDEX sled_drain_sled ON sled_drain (sled_id, time_created)`,
    `CREATE TABLE sled_drain_item (drain_id uuid NOT NULL, instance_id uuid NOT NULL, state text NOT NULL,
      sled_id uuid, reason text, PRIMARY KEY (drain_id, instance_id))`,

    `ALTER TABLE fault ADD COLUMN time_ended timestamptz`,
    `CREATE INDEX fault_ended ON fault (time_ended) WHERE time_ended IS NOT NULL`,
    `CREATE INDEX job_failed ON job (time_done) WHERE state = 'failed'`,

    `ALTER TABLE ip_pool ADD COLUMN is_service bool NOT NULL DEFAULT false`,
    `INSERT INTO ip_pool (id, time_created, time_modified, name, description, is_service)
      SELECT gen_random_uuid(), now(), now(), 'service-pool', 'Addresses of the rack''s own services', true
      WHERE EXISTS (SELECT 1 FROM sled) AND NOT EXISTS (SELECT 1 FROM ip_pool WHERE name = 'service-pool')`,
    `ALTER TABLE ip_pool_range ADD COLUMN first_key text COLLATE "C", ADD COLUMN last_key text COLLATE "C",
      ALTER COLUMN first_int DROP NOT NULL, ALTER COLUMN last_int DROP NOT NULL`,
    `UPDATE ip_pool_range SET first_key = '4' || lpad(to_hex(first_int), 8, '0'),
      last_key = '4' || lpad(to_hex(last_int), 8, '0')`,
    `ALTER TABLE ip_pool_range ALTER COLUMN first_key SET NOT NULL, ALTER COLUMN last_key SET NOT NULL`,
    `CREATE INDEX ip_pool_range_keys ON ip_pool_range (first_key)`,
    `CREATE INDEX external_ip_pool_created ON external_ip (ip_pool_id, time_created) WHERE time_deleted IS NULL`,
  ],
}
