import type { Migration } from './migration.ts'

/** The free part of a host's storage. */
export const freeStorage: Migration = {
  id: '0039-free-storage',
  statements: [`ALTER TABLE sled ADD COLUMN storage_free int8`],
}
