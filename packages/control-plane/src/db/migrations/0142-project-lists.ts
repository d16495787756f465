import type { Migration } from './migration.ts'

/** Lists of projects have one more order, and are filtered by how many instances of each have failed. */
export const projectLists: Migration = {
  id: '0142-project-lists',
  statements: [
    `CREATE INDEX project_by_created ON project (silo_id, time_created, id) WHERE time_deleted IS NULL`,
    `CREATE INDEX instance_failed_in ON instance (project_id) WHERE time_deleted IS NULL AND run_state = 'failed'`,
  ],
}
