import type { Migration } from './migration.ts'

/** Indexes by which filters find objects in any project, and by which lists have more orders. */
export const filters: Migration = {
  id: '0056-filters',
  statements: [
    ...[
      ['instance', 'ncpus'],
      ['instance', 'memory'],
      ['disk', 'size'],
      ['snapshot', 'size'],
    ].map(
      ([table, column]) =>
        `CREATE INDEX ${table}_by_${column} ON ${table} (project_id, ${column}, id) WHERE time_deleted IS NULL`,
    ),
    `CREATE INDEX external_ip_int ON external_ip (ip_int) WHERE time_deleted IS NULL`,
    `CREATE INDEX network_interface_ip_int ON network_interface (ip_int) WHERE time_deleted IS NULL`,
    `CREATE INDEX network_interface_mac_int ON network_interface (mac_int) WHERE time_deleted IS NULL`,
    `CREATE INDEX disk_snapshot ON disk (snapshot_id) WHERE snapshot_id IS NOT NULL AND time_deleted IS NULL`,
    `CREATE INDEX instance_boot_disk ON instance (boot_disk_id) WHERE time_deleted IS NULL`,
  ],
}
