import type { Migration } from './migration.ts'

/**
 * Objects that were deleted and can be restored for some time. Their rows are deleted as any others; this says for how
 * long, what belonged to them, and what removes the rest once they are gone for good.
 */
export const recycleBin: Migration = {
  id: '0049-recycle-bin',
  statements: [
    `CREATE TABLE recycled (id uuid PRIMARY KEY, kind text NOT NULL, object_id uuid NOT NULL, name text NOT NULL,
      silo_id uuid NOT NULL, project_id uuid, parent_id uuid, time_deleted timestamptz NOT NULL,
      time_expires timestamptz NOT NULL, actor jsonb NOT NULL, storage int8 NOT NULL DEFAULT 0, content_id text,
      ip_pool_id uuid, ip_int int8, ip text, kept jsonb NOT NULL, removal jsonb)`,
    `CREATE UNIQUE INDEX recycled_object ON recycled (object_id)`,
    `CREATE INDEX recycled_project ON recycled (project_id, time_deleted, id)`,
    `CREATE INDEX recycled_silo ON recycled (silo_id, time_deleted, id)`,
    `CREATE INDEX recycled_silo_own ON recycled (silo_id, time_deleted, id) WHERE project_id IS NULL`,
    `CREATE INDEX recycled_parent ON recycled (parent_id, time_deleted, id) WHERE parent_id IS NOT NULL`,
    `CREATE INDEX recycled_storage ON recycled (silo_id, time_deleted) WHERE storage > 0`,
    `CREATE INDEX recycled_content ON recycled (content_id) WHERE content_id IS NOT NULL`,
    `CREATE INDEX recycled_time ON recycled (time_deleted)`,
    `CREATE INDEX recycled_address ON recycled (ip_pool_id, time_deleted) WHERE ip_pool_id IS NOT NULL`,
    `CREATE INDEX recycled_expires ON recycled (time_expires)`,
    `CREATE TABLE silo_recycle_bin (silo_id uuid PRIMARY KEY, hours int4 NOT NULL)`,
    `ALTER TABLE provisioning ADD COLUMN recycled int8 NOT NULL DEFAULT 0`,
  ],
}
