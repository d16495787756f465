import type { Migration } from './migration.ts'

/** Several instances created by one action. */
export const instanceBatches: Migration = {
  id: '0076-instance-batches',
  statements: [`ALTER TABLE instance_action ADD COLUMN creation jsonb`],
}
