import type { Migration } from './migration.ts'

/** What is free of a host's storage. */
export const freeStorage: Migration = {
  id: '0039-free-storage',
  statements: [`ALTER TABLE sled ADD COLUMN storage_free int8`],
}
