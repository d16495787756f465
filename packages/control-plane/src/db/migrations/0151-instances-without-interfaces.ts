import type { Migration } from './migration.ts'

/** Which instances lack an interface was known only once all of them and all interfaces had been read. */
export const instancesWithoutInterfaces: Migration = {
  id: '0151-instances-without-interfaces',
  statements: [
    `ALTER TABLE instance ADD COLUMN has_interfaces boolean NOT NULL DEFAULT true`,
    `UPDATE instance SET has_interfaces = false WHERE NOT EXISTS (
      SELECT FROM network_interface n WHERE n.instance_id = instance.id AND n.time_deleted IS NULL)`,
    `CREATE INDEX instance_without_interfaces ON instance (project_id, id)
      WHERE NOT has_interfaces AND time_deleted IS NULL`,
  ],
}
