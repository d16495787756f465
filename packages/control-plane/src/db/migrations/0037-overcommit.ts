import type { Migration } from './migration.ts'

/** How many vCPUs share a hardware thread of a sled. */
export const overcommit: Migration = {
  id: '0037-overcommit',
  statements: [`ALTER TABLE sled ADD COLUMN vcpus_per_thread int4 NOT NULL DEFAULT 1`],
}
