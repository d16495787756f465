import type { Migration } from './migration.ts'

/**
 * External addresses of IPv6, which are whole ones: only those of IPv4 have ports for several instances. A silo has a
 * default pool of each type and IP version.
 */
export const externalIpv6: Migration = {
  id: '0103-external-ipv6',
  statements: [
    `ALTER TABLE external_ip ADD COLUMN ip_key text COLLATE "C", ADD COLUMN ipv6_offset int8`,
    `UPDATE external_ip SET ip_key = '4' || lpad(to_hex(ip_int), 8, '0')`,
    `ALTER TABLE external_ip ALTER COLUMN ip_key SET NOT NULL, ALTER COLUMN ip_int DROP NOT NULL`,
    `DROP INDEX external_ip_int`,
    `CREATE INDEX external_ip_key ON external_ip (ip_key) WHERE time_deleted IS NULL`,
    `CREATE UNIQUE INDEX external_ip_pool_key ON external_ip (ip_pool_id, ip_key, first_port) WHERE time_deleted IS NULL`,
    `DROP INDEX external_ip_ephemeral_key`,
    `CREATE UNIQUE INDEX external_ip_ephemeral_key ON external_ip (instance_id, (ip_int IS NULL))
      WHERE time_deleted IS NULL AND kind = 'ephemeral'`,
    `ALTER TABLE recycled ADD COLUMN ip_key text COLLATE "C"`,
    `UPDATE recycled SET ip_key = '4' || lpad(to_hex(ip_int), 8, '0') WHERE ip_int IS NOT NULL`,
    `ALTER TABLE recycled DROP COLUMN ip_int`,
    `ALTER TABLE ip_pool_silo ADD COLUMN ip_version text NOT NULL DEFAULT 'v4'`,
    `UPDATE ip_pool_silo SET ip_version = p.ip_version FROM ip_pool p WHERE p.id = ip_pool_id`,
    `DROP INDEX ip_pool_silo_default_key`,
    `CREATE UNIQUE INDEX ip_pool_silo_default_key ON ip_pool_silo (silo_id, pool_type, ip_version) WHERE is_default`,
  ],
}
