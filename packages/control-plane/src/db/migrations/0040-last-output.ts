import type { Migration } from './migration.ts'

/** The end of the serial output of each instance's last machine, which is of interest after a crash. */
export const lastOutput: Migration = {
  id: '0040-last-output',
  statements: [
    `CREATE TABLE last_output (instance_id uuid PRIMARY KEY, time timestamptz NOT NULL, data bytea NOT NULL)`,
  ],
}
