import type { Migration } from './migration.ts'

/** Acknowledgements of issues, and the machines that a lost sled took down, by sled and by instance. */
export const issueCauses: Migration = {
  id: '0034-issue-causes',
  statements: [
    `CREATE TABLE issue_acknowledgement (id uuid PRIMARY KEY, issue_id text NOT NULL UNIQUE, note text NOT NULL,
      user_id uuid NOT NULL, user_name text NOT NULL, time_created timestamptz NOT NULL)`,
    `CREATE INDEX vmm_gone_of_sled ON vmm (sled_id, time_gone) WHERE time_gone IS NOT NULL`,
    `CREATE INDEX vmm_of_instance ON vmm (instance_id, time_created)`,
  ],
}
