import type { Migration } from './migration.ts'

/**
 * Nothing is free below these numbers, so a search for a free one can skip those in use. Existing and
 * restored rows begin at 0: their first search walks once.
 */
export const speed: Migration = {
  id: '0011-speed',
  statements: [
    `ALTER TABLE vpc ADD COLUMN free_macs_from int8 NOT NULL DEFAULT 0`,
    `ALTER TABLE vpc_subnet ADD COLUMN free_ips_from int8 NOT NULL DEFAULT 0`,
    `ALTER TABLE ip_pool_range ADD COLUMN free_addresses_from int8 NOT NULL DEFAULT 0,
      ADD COLUMN free_ports_from int8 NOT NULL DEFAULT 0`,
    `CREATE INDEX disk_content ON disk (content_id) WHERE time_deleted IS NULL`,
  ],
}
