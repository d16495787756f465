import type { Migration } from './migration.ts'

/** Where a schedule writes the backups that it makes; null if it makes none. */
export const scheduleTargets: Migration = {
  id: '0141-schedule-targets',
  statements: [`ALTER TABLE schedule ADD COLUMN target jsonb`],
}
