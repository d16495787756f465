import type { Migration } from './migration.ts'

/** What machines have that boot from an image: selected at the image, and kept by disks and snapshots made of it. */
export const hardwareOfMachines: Migration = {
  id: '0095-hardware-of-machines',
  statements: [
    `ALTER TABLE image ADD COLUMN boot_record text, ADD COLUMN hardware jsonb`,
    `ALTER TABLE disk ADD COLUMN hardware jsonb`,
    `ALTER TABLE snapshot ADD COLUMN hardware jsonb`,
    `CREATE TABLE instance_firmware (instance_id uuid PRIMARY KEY, variables_id uuid NOT NULL)`,
    `CREATE UNIQUE INDEX instance_firmware_variables ON instance_firmware (variables_id)`,
  ],
}
