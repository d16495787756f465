import type { Migration } from './migration.ts'

/** Edits of tags of many objects, each one task. */
export const bulkTaggings: Migration = {
  id: '0061-bulk-taggings',
  statements: [`ALTER TABLE instance_action ADD COLUMN tagging jsonb`],
}
