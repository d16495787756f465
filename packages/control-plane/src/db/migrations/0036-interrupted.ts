import type { Migration } from './migration.ts'

/** Instances that ran until their host went down. */
export const interrupted: Migration = {
  id: '0036-interrupted',
  statements: [
    `ALTER TABLE instance ADD COLUMN is_interrupted bool NOT NULL DEFAULT false`,
    `CREATE INDEX instance_interrupted ON instance (time_created, id) WHERE is_interrupted`,
  ],
}
