import type { Migration } from './migration.ts'

const states = `state IN ('open', 'fetching', 'converting', 'completing')`

/** Images from files that the server fetches, and tags for the images of uploads. The URL is sealed: it may hold a secret. */
export const imageImports: Migration = {
  id: '0082-image-imports',
  statements: [
    `ALTER TABLE image_upload ADD COLUMN source_url text, ADD COLUMN expected_sha256 text, ADD COLUMN sha256 text,
      ADD COLUMN image_tags jsonb`,
    `ALTER TABLE image ADD COLUMN source_url text, ADD COLUMN source_sha256 text`,
    `CREATE TABLE image_import (upload_id uuid PRIMARY KEY, url text NOT NULL, validator text,
      failures int4 NOT NULL DEFAULT 0, time_begun timestamptz NOT NULL)`,
    `DROP INDEX image_upload_name_key`,
    `CREATE UNIQUE INDEX image_upload_name_key ON image_upload (project_id, name)
      WHERE time_deleted IS NULL AND ${states}`,
    `DROP INDEX image_upload_pending`,
    `CREATE INDEX image_upload_pending ON image_upload (id) WHERE time_deleted IS NULL AND ${states}`,
  ],
}
