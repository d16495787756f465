import type { Migration } from './migration.ts'

/** The subject of an alert, so that only alerts of one subject wait for each other, and the project that caused it. */
export const alertSubjects: Migration = {
  id: '0035-alert-subjects',
  statements: [
    `ALTER TABLE alert ADD COLUMN subject text, ADD COLUMN project_id uuid`,
    `ALTER TABLE alert_delivery ADD COLUMN subject text, ADD COLUMN project_id uuid, ADD COLUMN time_sent timestamptz`,
    `CREATE INDEX alert_delivery_subject ON alert_delivery (subject, alert_receiver_id, position)
      WHERE state = 'pending'`,
    `CREATE INDEX alert_delivery_sent ON alert_delivery (alert_receiver_id, project_id, time_sent)
      WHERE project_id IS NOT NULL`,
  ],
}
