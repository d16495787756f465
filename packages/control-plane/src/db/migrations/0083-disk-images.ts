import type { Migration } from './migration.ts'

const states = `state IN ('open', 'fetching', 'copying', 'converting', 'completing')`

/** Images of existing disks, by a snapshot that is taken for them. */
export const diskImages: Migration = {
  id: '0083-disk-images',
  statements: [
    `ALTER TABLE image_upload ADD COLUMN disk_id uuid, ADD COLUMN snapshot_id uuid`,
    `DROP INDEX image_upload_name_key`,
    `CREATE UNIQUE INDEX image_upload_name_key ON image_upload (project_id, name)
      WHERE time_deleted IS NULL AND ${states}`,
    `DROP INDEX image_upload_pending`,
    `CREATE INDEX image_upload_pending ON image_upload (id) WHERE time_deleted IS NULL AND ${states}`,
  ],
}
