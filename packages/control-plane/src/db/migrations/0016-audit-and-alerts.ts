import type { Migration } from './migration.ts'

/** Look-ups of the audit log: by silo, user, operation, and by what was changed; and alerts with their receivers. */
export const auditAndAlerts: Migration = {
  id: '0016-audit-and-alerts',
  statements: [
    `ALTER TABLE audit ADD COLUMN silo_user_id uuid`,
    `ALTER TABLE audit ADD COLUMN silo_id uuid`,
    `UPDATE audit SET silo_user_id = (actor->>'silo_user_id')::uuid WHERE actor->>'kind' = 'silo_user'`,
    // Older records do not say whose objects changed; those of the fleet stay with the fleet.
    `UPDATE audit SET silo_id = (actor->>'silo_id')::uuid WHERE actor->>'kind' = 'silo_user'
      AND request_uri NOT LIKE '/v1/system/%' AND request_uri NOT LIKE '/ext/v1/system/%'`,
    `CREATE INDEX audit_silo ON audit (silo_id, time_completed, id)`,
    `CREATE INDEX audit_user ON audit (silo_user_id, time_completed, id)`,
    `CREATE INDEX audit_operation ON audit (operation_id, time_completed, id)`,
    `CREATE INDEX audit_failed ON audit (time_completed, id) WHERE http_status_code >= 400`,
    `CREATE INDEX audit_request ON audit (request_id)`,
    `CREATE INDEX change_request ON change (request_id) WHERE request_id IS NOT NULL`,
    `CREATE INDEX change_name ON change (name, time) WHERE request_id IS NOT NULL`,

    `CREATE TABLE alert_receiver (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL,
      description text NOT NULL, endpoint text NOT NULL)`,
    `CREATE UNIQUE INDEX alert_receiver_name_key ON alert_receiver (name) WHERE time_deleted IS NULL`,
    `CREATE TABLE alert_subscription (alert_receiver_id uuid NOT NULL, subscription text NOT NULL, dropped jsonb NOT NULL,
      PRIMARY KEY (alert_receiver_id, subscription))`,
    `CREATE TABLE webhook_secret (id uuid PRIMARY KEY, alert_receiver_id uuid NOT NULL, secret text NOT NULL,
      time_created timestamptz NOT NULL)`,
    `CREATE INDEX webhook_secret_receiver ON webhook_secret (alert_receiver_id, time_created)`,
    `CREATE TABLE alert (id uuid PRIMARY KEY, alert_class text NOT NULL, payload jsonb NOT NULL,
      time_created timestamptz NOT NULL)`,
    `CREATE INDEX alert_created ON alert (time_created)`,
    `CREATE TABLE alert_delivery (id uuid PRIMARY KEY, alert_receiver_id uuid NOT NULL, alert_id uuid NOT NULL,
      alert_class text NOT NULL, trigger text NOT NULL, state text NOT NULL, position int8 NOT NULL,
      attempts int4 NOT NULL DEFAULT 0, time_started timestamptz NOT NULL, time_next timestamptz, lease_until timestamptz)`,
    `CREATE INDEX alert_delivery_receiver ON alert_delivery (alert_receiver_id, time_started, id)`,
    `CREATE INDEX alert_delivery_pending ON alert_delivery (alert_receiver_id, position) WHERE state = 'pending'`,
    `CREATE INDEX alert_delivery_alert ON alert_delivery (alert_id)`,
    `CREATE TABLE alert_attempt (alert_delivery_id uuid NOT NULL, attempt int4 NOT NULL, time_sent timestamptz NOT NULL,
      result text NOT NULL, status int4, duration_ms int8, request jsonb NOT NULL, response_body text, reason text,
      PRIMARY KEY (alert_delivery_id, attempt))`,
    // What is known already is no news.
    `ALTER TABLE issue_episode ADD COLUMN began_alerted bool NOT NULL DEFAULT true`,
    `ALTER TABLE issue_episode ADD COLUMN ended_alerted bool NOT NULL DEFAULT true`,
    `ALTER TABLE issue_episode ALTER COLUMN began_alerted SET DEFAULT false`,
    `ALTER TABLE issue_episode ALTER COLUMN ended_alerted SET DEFAULT false`,
    `CREATE INDEX issue_episode_news ON issue_episode (time_began) WHERE NOT began_alerted OR NOT ended_alerted`,
  ],
}
