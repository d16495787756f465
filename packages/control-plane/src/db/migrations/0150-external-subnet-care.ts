import type { Migration } from './migration.ts'

/**
 * External subnets have tags and protection, and lists of them are filtered and have more orders. The bin keeps the block of
 * a deleted one, which its row still names.
 */
export const externalSubnetCare: Migration = {
  id: '0150-external-subnet-care',
  statements: [
    `ALTER TABLE external_subnet ADD COLUMN tags jsonb, ADD COLUMN protection jsonb`,
    `CREATE INDEX external_subnet_protected_in_project ON external_subnet (project_id, id)
      WHERE protection IS NOT NULL AND time_deleted IS NULL`,
    `CREATE INDEX external_subnet_by_created ON external_subnet (project_id, time_created, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX external_subnet_by_block ON external_subnet (project_id, first_int, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX recycled_external_subnet ON recycled (object_id) WHERE kind = 'external-subnet'`,
  ],
}
