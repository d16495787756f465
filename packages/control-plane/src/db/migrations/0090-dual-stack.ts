import type { Migration } from './migration.ts'

/** An interface has an address of IPv4, of IPv6, or of both. */
export const dualStack: Migration = {
  id: '0090-dual-stack',
  statements: [
    `ALTER TABLE network_interface ALTER COLUMN ip DROP NOT NULL`,
    `ALTER TABLE network_interface ALTER COLUMN ip_int DROP NOT NULL`,
    `ALTER TABLE network_interface ADD COLUMN ipv6 text`,
    `ALTER TABLE network_interface ADD COLUMN ipv6_key text`,
    `ALTER TABLE network_interface ADD COLUMN ipv6_offset int8`,
    `ALTER TABLE vpc_subnet ADD COLUMN free_ipv6_from int8 NOT NULL DEFAULT 5`,
    `CREATE UNIQUE INDEX network_interface_ipv6_key ON network_interface (subnet_id, ipv6_key) WHERE time_deleted IS NULL`,
    `CREATE INDEX network_interface_ipv6_offset ON network_interface (subnet_id, ipv6_offset)
      WHERE time_deleted IS NULL AND ipv6_offset IS NOT NULL`,
    `CREATE INDEX network_interface_ipv6 ON network_interface (ipv6_key) WHERE time_deleted IS NULL AND ipv6_key IS NOT NULL`,
  ],
}
