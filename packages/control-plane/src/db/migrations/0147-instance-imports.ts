import type { Migration } from './migration.ts'

/** Uploads that an instance is made of, and what it is being made with. */
export const instanceImports: Migration = {
  id: '0147-instance-imports',
  statements: [
    `ALTER TABLE image_upload ADD COLUMN purpose text NOT NULL DEFAULT 'image', ADD COLUMN instance_id uuid`,
    `CREATE TABLE instance_import (upload_id uuid PRIMARY KEY, silo_user_id uuid NOT NULL, request jsonb NOT NULL,
      name text COLLATE "C" NOT NULL, ncpus int8 NOT NULL, memory int8 NOT NULL,
      instance_snapshot_id uuid NOT NULL, disks jsonb NOT NULL, tags jsonb NOT NULL)`,
  ],
}
