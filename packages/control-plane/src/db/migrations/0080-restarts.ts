import type { Migration } from './migration.ts'

/** Lists show when an instance restarted last, however often it changed since. */
export const restarts: Migration = {
  id: '0080-restarts',
  statements: [
    `CREATE INDEX change_restart ON change (object_id, time) WHERE action IN ('rebooted', 'restarted')`,
  ],
}
