import type { Migration } from './migration.ts'

/** The version of the API that the body of a saved request is of; those from before are of the base edition. */
export const versionOfSavedPlans: Migration = {
  id: '0089-version-of-saved-plans',
  statements: [`ALTER TABLE saved_plan ADD COLUMN version int NOT NULL DEFAULT 20250730`],
}
