import type { Migration } from './migration.ts'

/**
 * The slot of each attached disk. Machines had their disks in the order of names from the first slot on, and their
 * interfaces without gaps; both keep their places.
 */
export const diskSlots: Migration = {
  id: '0032-disk-slots',
  statements: [
    `ALTER TABLE disk ADD COLUMN slot int4`,
    `UPDATE disk SET slot = ordered.slot FROM (SELECT id, row_number() OVER (PARTITION BY instance_id ORDER BY name) - 1 AS slot
      FROM disk WHERE instance_id IS NOT NULL AND time_deleted IS NULL) ordered WHERE ordered.id = disk.id`,
    `UPDATE disk SET instance_id = NULL WHERE time_deleted IS NOT NULL`,
    `ALTER TABLE disk ADD CONSTRAINT disk_slot_check CHECK ((instance_id IS NULL) = (slot IS NULL))`,
    `CREATE UNIQUE INDEX disk_slot_key ON disk (instance_id, slot) WHERE time_deleted IS NULL`,
    // In two steps, because the index on slots is checked row by row.
    `UPDATE network_interface SET slot = slot + 1000 WHERE time_deleted IS NULL AND instance_id IS NOT NULL`,
    `UPDATE network_interface SET slot = ordered.slot FROM (SELECT id, row_number() OVER (PARTITION BY instance_id ORDER BY slot) - 1 AS slot
      FROM network_interface WHERE time_deleted IS NULL AND instance_id IS NOT NULL) ordered WHERE ordered.id = network_interface.id`,
  ],
}
