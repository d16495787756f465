import type { Migration } from './migration.ts'

/** What is in the CD drives of an instance, by the ids of images, and what was selected for its machines. */
export const cdsOfInstances: Migration = {
  id: '0120-cds-of-instances',
  statements: [
    `ALTER TABLE image ADD COLUMN cd text`,
    `ALTER TABLE instance ADD COLUMN cds jsonb, ADD COLUMN hardware jsonb`,
    // Which instances have an image in a drive.
    `CREATE INDEX instance_cds ON instance USING gin (cds) WHERE cds IS NOT NULL AND time_deleted IS NULL`,
    // Machines that were started before have no drives.
    `ALTER TABLE vmm ADD COLUMN has_cd_drives bool NOT NULL DEFAULT false`,
  ],
}
