import type { Migration } from './migration.ts'

/** The first change of an object after a moment, and what was deleted in a project since. */
export const past: Migration = {
  id: '0051-past',
  statements: [
    `CREATE INDEX change_past ON change (object_id, kind, time, generation)`,
    `CREATE INDEX change_deleted ON change (project_id, kind, time) WHERE op = 'delete'`,
  ],
}
