import type { Migration } from './migration.ts'

/**
 * Failed placements named each sled and its free capacity, which only readers of the fleet may see. Others can read
 * instances too.
 */
export const failureDetails: Migration = {
  id: '0029-failure-details',
  statements: [
    `UPDATE instance SET failure = failure #- '{details,sleds}' WHERE failure->'details' ? 'sleds'`,
  ],
}
