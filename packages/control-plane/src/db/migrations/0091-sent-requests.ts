import type { Migration } from './migration.ts'

/** Requests are kept without their secrets, so that their callers can repeat them. */
export const sentRequests: Migration = {
  id: '0091-sent-requests',
  statements: ['ALTER TABLE audit ADD COLUMN request jsonb'],
}
