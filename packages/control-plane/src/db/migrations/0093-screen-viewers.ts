import type { Migration } from './migration.ts'

/** Who watches the screens of machines, and who of them is at the keyboard: at most one, in all processes together. */
export const screenViewers: Migration = {
  id: '0093-screen-viewers',
  statements: [
    `CREATE TABLE screen_viewer (
      id uuid PRIMARY KEY,
      vmm_id uuid NOT NULL,
      name text NOT NULL,
      time_joined timestamptz NOT NULL,
      time_seen timestamptz NOT NULL,
      has_keyboard boolean NOT NULL,
      time_asked timestamptz
    )`,
    `CREATE INDEX screen_viewer_of ON screen_viewer (vmm_id)`,
    `CREATE UNIQUE INDEX screen_keyboard ON screen_viewer (vmm_id) WHERE has_keyboard`,
  ],
}
