import type { Migration } from './migration.ts'

/** External addresses that the fleet refuses to a VPC, with the reasons. */
export const refusedAddresses: Migration = {
  id: '0041-refused-addresses',
  statements: [`ALTER TABLE vpc_network ADD COLUMN refused jsonb`],
}
