import type { Migration } from './migration.ts'

/** Lists of disks count the snapshots of each. */
export const listDetails: Migration = {
  id: '0059-list-details',
  statements: [`CREATE INDEX snapshot_disk ON snapshot (disk_id) WHERE time_deleted IS NULL`],
}
