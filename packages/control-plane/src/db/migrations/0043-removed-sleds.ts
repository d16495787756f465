import type { Migration } from './migration.ts'

/** Since when a sled was lost that was then removed for good. */
export const removedSleds: Migration = {
  id: '0043-removed-sleds',
  statements: [`ALTER TABLE sled ADD COLUMN time_lost timestamptz`],
}
