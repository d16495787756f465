import type { Migration } from './migration.ts'

/** Hosts that a fleet finds itself, and the fleet that a database belongs to. */
export const hosts: Migration = {
  id: '0027-hosts',
  statements: [
    `ALTER TABLE sled ADD COLUMN engine text`,
    `ALTER TABLE sled ADD COLUMN storage_size int8`,
    `ALTER TABLE sled ADD COLUMN time_unreachable timestamptz`,
    `CREATE TABLE fleet_identity (id int4 PRIMARY KEY DEFAULT 1 CHECK (id = 1), driver text NOT NULL)`,
    `INSERT INTO fleet_identity (driver) SELECT 'simulated' WHERE EXISTS (SELECT FROM silo)`,
  ],
}
