import type { Migration } from './migration.ts'

/** Bundles of diagnostic files for support; their bytes are in the block store. */
export const supportBundles: Migration = {
  id: '0017-support-bundles',
  statements: [
    `CREATE TABLE support_bundle (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      reason_for_creation text NOT NULL, reason_for_failure text, user_comment text, state text NOT NULL,
      content_id uuid, size int8, files jsonb, parts_done int4 NOT NULL DEFAULT 0, parts_total int4 NOT NULL)`,
    `CREATE INDEX support_bundle_created ON support_bundle (time_created, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX support_bundle_content ON support_bundle (content_id) WHERE time_deleted IS NULL`,
  ],
}
