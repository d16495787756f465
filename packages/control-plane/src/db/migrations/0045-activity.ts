import type { Migration } from './migration.ts'

/**
 * The account of what happened, read from the change records: of each place that a change touched, one record has an
 * `action` and makes the entry to which the others belong. A record also names what its object is a part of or attached
 * to, and a refused request the object that it was about.
 */
export const activity: Migration = {
  id: '0045-activity',
  statements: [
    `ALTER TABLE change ADD COLUMN action text, ADD COLUMN entry_id uuid, ADD COLUMN entry_place int4,
      ADD COLUMN holder_id uuid`,
    // Of older changes, one of each request is told, coarsely.
    `UPDATE change SET entry_id = id, entry_place = 0,
        action = CASE op WHEN 'create' THEN 'created' WHEN 'delete' THEN 'deleted' ELSE 'edited' END
      WHERE position = 0 AND request_id IS NOT NULL
        AND kind NOT IN ('alert-delivery', 'instance-action', 'utilization', 'vpc-network')`,
    `CREATE INDEX change_activity_project ON change (project_id, time, id) WHERE action IS NOT NULL`,
    `CREATE INDEX change_activity_silo ON change (silo_id, time, id) WHERE action IS NOT NULL`,
    `CREATE INDEX change_activity_user ON change (((actor->>'silo_user_id')::uuid), time, id) WHERE action IS NOT NULL`,
    `CREATE INDEX change_activity_object ON change (object_id, time, id) WHERE entry_id IS NOT NULL`,
    `CREATE INDEX change_activity_holder ON change (holder_id, time, id)
      WHERE entry_id IS NOT NULL AND holder_id IS NOT NULL`,
    `CREATE INDEX change_activity_name ON change (silo_id, name, time, id)
      WHERE entry_id IS NOT NULL AND name IS NOT NULL`,
    `CREATE INDEX change_activity_entry ON change (entry_id, entry_place) WHERE entry_id IS NOT NULL`,

    `ALTER TABLE audit ADD COLUMN object_kind text, ADD COLUMN object_id uuid, ADD COLUMN object_name text,
      ADD COLUMN project_id uuid`,
    ...(['project_id', 'object_id', 'silo_id', 'silo_user_id'] as const).map(
      (
        column,
      ) => `CREATE INDEX audit_refused_${column.replace(/_id$/, '')} ON audit (${column}, time_completed, id)
        WHERE http_status_code >= 400 AND object_id IS NOT NULL`,
    ),
  ],
}
