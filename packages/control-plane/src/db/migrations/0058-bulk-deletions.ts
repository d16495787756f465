import type { Migration } from './migration.ts'

/** Many objects of other kinds are deleted as many instances are: the same rows say of which kind, and in which project. */
export const bulkDeletions: Migration = {
  id: '0058-bulk-deletions',
  statements: [
    `ALTER TABLE instance_action ADD COLUMN kind text NOT NULL DEFAULT 'instance',
      ADD COLUMN is_for_good bool NOT NULL DEFAULT false, ALTER COLUMN project_id DROP NOT NULL`,
  ],
}
