import type { Migration } from './migration.ts'

/** Look-ups of the audit log: by silo, user, operation, and by what was changed. */
export const auditLog: Migration = {
  id: '0016-audit-log',
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
  ],
}
