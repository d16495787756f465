import type { Migration } from './migration.ts'

/** By which the page of an object finds the actions on many that still concern it. */
export const tasksOfObjects: Migration = {
  id: '0130-tasks-of-objects',
  statements: [
    `CREATE INDEX instance_action_item_pending ON instance_action_item (instance_id)
      WHERE state IN ('pending', 'under_way')`,
  ],
}
