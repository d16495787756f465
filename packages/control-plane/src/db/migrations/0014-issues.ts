import type { Migration } from './migration.ts'

/** Since when something is wrong of which no other row tells, and what was wrong until when. */
export const issues: Migration = {
  id: '0014-issues',
  statements: [
    `CREATE TABLE issue_episode (id uuid PRIMARY KEY, issue_id text NOT NULL, kind text NOT NULL, issue jsonb NOT NULL,
      time_began timestamptz NOT NULL, time_ended timestamptz)`,
    `CREATE UNIQUE INDEX issue_episode_open_key ON issue_episode (issue_id) WHERE time_ended IS NULL`,
    `CREATE INDEX issue_episode_ended ON issue_episode (kind, time_ended) WHERE time_ended IS NOT NULL`,
  ],
}
