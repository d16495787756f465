import type { Migration } from './migration.ts'

/** Alerts are listed by time, also those of a few classes, and keep the number of the schema that they were written with. */
export const alertList: Migration = {
  id: '0077-alert-list',
  statements: [
    `ALTER TABLE alert ADD COLUMN version int4 NOT NULL DEFAULT 1`,
    `CREATE INDEX alert_listed ON alert (time_created, id)`,
    `CREATE INDEX alert_of_class ON alert (alert_class, time_created, id)`,
    // The first of these two has what it had.
    `DROP INDEX alert_created`,
  ],
}
