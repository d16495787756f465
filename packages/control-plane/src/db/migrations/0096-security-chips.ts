import type { Migration } from './migration.ts'

/** The volume of a security chip, beside that of the firmware's variables: both are created when they are first used. */
export const securityChips: Migration = {
  id: '0096-security-chips',
  statements: [
    `ALTER TABLE instance_firmware ADD COLUMN tpm_id uuid`,
    `UPDATE instance_firmware SET tpm_id = gen_random_uuid()`,
    `ALTER TABLE instance_firmware ALTER COLUMN tpm_id SET NOT NULL`,
    `CREATE UNIQUE INDEX instance_firmware_tpm ON instance_firmware (tpm_id)`,
  ],
}
