import type { Migration } from './migration.ts'

/** The session or token by which the caller of an audit record was known; earlier records do not tell. */
export const credentialsOfRecords: Migration = {
  id: '0071-credentials-of-records',
  statements: [`ALTER TABLE audit ADD COLUMN credential_id uuid`],
}
