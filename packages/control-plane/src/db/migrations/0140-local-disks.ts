import type { Migration } from './migration.ts'

/** Disks that live on the sled of their instance, and where their bytes are once it has started. */
export const localDisks: Migration = {
  id: '0140-local-disks',
  statements: [
    `ALTER TABLE disk ADD COLUMN disk_type text NOT NULL DEFAULT 'distributed'`,
    `CREATE INDEX disk_by_type ON disk (project_id, disk_type, id) WHERE time_deleted IS NULL`,
    `CREATE TABLE local_volume (content_id text PRIMARY KEY, sled_id uuid NOT NULL, physical_disk_id uuid NOT NULL,
      size int8 NOT NULL)`,
    `CREATE INDEX local_volume_disk ON local_volume (physical_disk_id)`,
    `CREATE INDEX local_volume_sled ON local_volume (sled_id)`,
  ],
}
