import type { Migration } from './migration.ts'

/** Machines whose power is to be cut at once. */
export const forcedOff: Migration = {
  id: '0038-forced-off',
  statements: [`ALTER TABLE vmm ADD COLUMN is_forced_off bool NOT NULL DEFAULT false`],
}
