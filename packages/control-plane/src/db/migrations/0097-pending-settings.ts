import type { Migration } from './migration.ts'

/** What changes of an instance with its next start. */
export const pendingSettings: Migration = {
  id: '0097-pending-settings',
  statements: ['ALTER TABLE instance ADD COLUMN pending jsonb'],
}
