import type { Migration } from './migration.ts'

/** Physical disks that the rack has found and not adopted, and requests to adopt them. */
export const diskAdoption: Migration = {
  id: '0073-disk-adoption',
  statements: [
    `CREATE TABLE unadopted_disk (vendor text NOT NULL, serial text NOT NULL, model text NOT NULL,
      sled_id uuid NOT NULL, slot int4 NOT NULL, form_factor text NOT NULL, PRIMARY KEY (vendor, serial, model))`,
    `CREATE TABLE disk_adoption_request (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      vendor text NOT NULL, serial text NOT NULL, model text NOT NULL)`,
    `CREATE UNIQUE INDEX disk_adoption_request_key ON disk_adoption_request (vendor, serial, model)
      WHERE time_deleted IS NULL`,
    `CREATE INDEX disk_adoption_request_deleted ON disk_adoption_request (time_deleted)
      WHERE time_deleted IS NOT NULL`,
  ],
}
