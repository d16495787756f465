import type { Migration } from './migration.ts'

/**
 * What happened to an instance, by time: its own change records, and those of objects that were attached to it or
 * detached from it.
 */
export const instanceChanges: Migration = {
  id: '0021-instance-changes',
  statements: [
    `CREATE INDEX change_of_instance ON change ((CASE WHEN kind = 'instance' THEN object_id::text
      ELSE coalesce(after->>'instance_id', before->>'instance_id') END), time)
      WHERE kind = 'instance' OR before->>'instance_id' IS DISTINCT FROM after->>'instance_id'`,
  ],
}
