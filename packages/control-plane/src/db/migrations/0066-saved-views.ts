import type { Migration } from './migration.ts'

/** Filters, orders and columns that a user saved of a list. */
export const savedViews: Migration = {
  id: '0066-saved-views',
  statements: [`ALTER TABLE list_preference ADD COLUMN views jsonb NOT NULL DEFAULT '[]'`],
}
