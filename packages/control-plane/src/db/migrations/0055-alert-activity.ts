import type { Migration } from './migration.ts'

/** The activity that receivers get, and the silo that causes an alert, so that silos take turns at each receiver. */
export const alertActivity: Migration = {
  id: '0055-alert-activity',
  statements: [
    `CREATE TABLE alert_activity_place (id uuid PRIMARY KEY, alert_receiver_id uuid NOT NULL, silo_id uuid NOT NULL,
      project_id uuid, silo_user_id uuid NOT NULL, time_created timestamptz NOT NULL)`,
    `CREATE UNIQUE INDEX alert_activity_place_key ON alert_activity_place
      (alert_receiver_id, silo_id, coalesce(project_id, silo_id))`,
    `ALTER TABLE alert ADD COLUMN silo_id uuid`,
    `ALTER TABLE alert_delivery ADD COLUMN silo_id uuid`,
    `UPDATE alert SET silo_id = project.silo_id FROM project WHERE project.id = alert.project_id`,
    `UPDATE alert_delivery SET silo_id = project.silo_id FROM project WHERE project.id = alert_delivery.project_id`,
    `DROP INDEX alert_delivery_sent`,
    `CREATE INDEX alert_delivery_sent ON alert_delivery (alert_receiver_id, time_sent) WHERE silo_id IS NOT NULL`,
  ],
}
