import type { Migration } from './migration.ts'

/** The members of each rack, version by version. What a rack has now is its first version. */
export const rackMembership: Migration = {
  id: '0074-rack-membership',
  statements: [
    `CREATE TABLE rack_membership (rack_id uuid NOT NULL, version int8 NOT NULL, state text NOT NULL,
      members jsonb NOT NULL, unacknowledged jsonb NOT NULL, time_created timestamptz NOT NULL,
      time_committed timestamptz, time_aborted timestamptz, PRIMARY KEY (rack_id, version))`,
    `CREATE UNIQUE INDEX rack_membership_in_progress ON rack_membership (rack_id) WHERE state = 'in_progress'`,
    `INSERT INTO rack_membership (rack_id, version, state, members, unacknowledged, time_created, time_committed)
      SELECT rack_id, 1, 'committed',
        jsonb_agg(jsonb_build_object('part_number', part, 'serial_number', serial) ORDER BY cubby),
        '[]', min(time_created), min(time_created)
      FROM sled WHERE time_deleted IS NULL AND policy = 'in_service' AND state = 'active' GROUP BY rack_id`,
  ],
}
