import type { Migration } from './migration.ts'

export const imageUploads: Migration = {
  id: '0002-image-uploads',
  statements: [
    `CREATE TABLE image_upload (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL, description text NOT NULL,
      project_id uuid NOT NULL, os text NOT NULL, version text NOT NULL, block_size int4 NOT NULL, size int8 NOT NULL,
      state text NOT NULL, content_id text NOT NULL, image_id uuid, failure jsonb)`,
    // Finished uploads do not reserve their name.
    `CREATE UNIQUE INDEX image_upload_name_key ON image_upload (project_id, name)
      WHERE time_deleted IS NULL AND state IN ('open', 'completing')`,
    `CREATE INDEX image_upload_project_id ON image_upload (project_id, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX image_upload_modified ON image_upload (time_modified) WHERE time_deleted IS NULL`,
    `CREATE TABLE image_upload_range (upload_id uuid NOT NULL, first_byte int8 NOT NULL, length int8 NOT NULL,
      time timestamptz NOT NULL, PRIMARY KEY (upload_id, first_byte))`,
    // Other objects with the same bytes.
    `CREATE INDEX snapshot_content ON snapshot (content_id) WHERE time_deleted IS NULL`,
    `CREATE INDEX image_content ON image (content_id) WHERE time_deleted IS NULL`,
  ],
}
