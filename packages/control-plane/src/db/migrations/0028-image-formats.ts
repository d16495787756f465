import type { Migration } from './migration.ts'

/** Uploads of files that are converted to raw images. */
export const imageFormats: Migration = {
  id: '0028-image-formats',
  statements: [
    `ALTER TABLE image_upload ADD COLUMN format text, ADD COLUMN converted_content_id text,
      ADD COLUMN converted_charge int8, ADD COLUMN image_size int8, ADD COLUMN percent_converted int4`,
    `DROP INDEX image_upload_name_key`,
    `CREATE UNIQUE INDEX image_upload_name_key ON image_upload (project_id, name)
      WHERE time_deleted IS NULL AND state IN ('open', 'converting', 'completing')`,
    `CREATE INDEX image_upload_converted ON image_upload (converted_content_id) WHERE converted_content_id IS NOT NULL`,
  ],
}
