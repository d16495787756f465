import type { Migration } from './migration.ts'

/** By which a search finds the subnets that contain an address. */
export const subnetRanges: Migration = {
  id: '0062-subnet-ranges',
  statements: [
    `CREATE INDEX vpc_subnet_range ON vpc_subnet USING gist (int8range(ipv4_first, ipv4_last, '[]'))
      WHERE time_deleted IS NULL`,
  ],
}
