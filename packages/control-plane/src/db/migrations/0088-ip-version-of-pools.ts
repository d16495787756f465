import type { Migration } from './migration.ts'

/** The version of a pool: of IPv6 where all its ranges are, as those of pools that were made without one. */
export const ipVersionOfPools: Migration = {
  id: '0088-ip-version-of-pools',
  statements: [
    `ALTER TABLE ip_pool ADD COLUMN ip_version text NOT NULL DEFAULT 'v4',
      ADD COLUMN has_one_version bool NOT NULL DEFAULT false`,
    `UPDATE ip_pool SET ip_version = 'v6' WHERE EXISTS (SELECT 1 FROM ip_pool_range r WHERE r.ip_pool_id = ip_pool.id)
      AND NOT EXISTS (SELECT 1 FROM ip_pool_range r WHERE r.ip_pool_id = ip_pool.id AND r.first_int IS NOT NULL)`,
  ],
}
