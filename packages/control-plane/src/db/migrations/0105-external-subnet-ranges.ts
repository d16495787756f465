import type { Migration } from './migration.ts'

/** By which a search finds the external subnets that contain an address. */
export const externalSubnetRanges: Migration = {
  id: '0105-external-subnet-ranges',
  statements: [
    `CREATE INDEX external_subnet_range ON external_subnet USING gist (numrange(first_int, last_int, '[]'))
      WHERE time_deleted IS NULL`,
  ],
}
