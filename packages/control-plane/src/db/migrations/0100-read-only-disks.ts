import type { Migration } from './migration.ts'

/** A disk that shows an image or a snapshot, and cannot be written. */
export const readOnlyDisks: Migration = {
  id: '0100-read-only-disks',
  statements: ['ALTER TABLE disk ADD COLUMN read_only boolean NOT NULL DEFAULT false'],
}
