import type { Migration } from './migration.ts'

/** By which a search finds the subnets whose IPv6 block contains an address. */
export const subnetIpv6: Migration = {
  id: '0131-subnet-ipv6',
  statements: [
    `CREATE INDEX vpc_subnet_ipv6 ON vpc_subnet USING gist ((ipv6_block::inet) inet_ops)
      WHERE time_deleted IS NULL`,
  ],
}
