import type { Migration } from './migration.ts'

/** Why a snapshot is faulted, as disks already have. */
export const snapshotFailures: Migration = {
  id: '0030-snapshot-failures',
  statements: [`ALTER TABLE snapshot ADD COLUMN failure jsonb`],
}
