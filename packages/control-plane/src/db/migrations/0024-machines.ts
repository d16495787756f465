import type { Migration } from './migration.ts'

/** The wanted state of a machine, beside the state that the fleet has accepted. */
export const machines: Migration = {
  id: '0024-machines',
  statements: [
    `ALTER TABLE vmm ADD COLUMN time_started timestamptz`,
    `ALTER TABLE vmm ADD COLUMN time_stop_requested timestamptz`,
    `ALTER TABLE vmm ADD COLUMN reboots int8 NOT NULL DEFAULT 0`,
    `ALTER TABLE vmm ADD COLUMN revision int8 NOT NULL DEFAULT 0`,
    `ALTER TABLE vmm ADD COLUMN applied_revision int8 NOT NULL DEFAULT 0`,
    `UPDATE vmm SET time_started = time_created
      WHERE time_gone IS NULL AND EXISTS (SELECT FROM simulated_vm WHERE simulated_vm.id = vmm.id)`,
    `CREATE INDEX vmm_pending ON vmm (id) WHERE applied_revision < revision`,
    `ALTER TABLE simulated_vm ADD COLUMN reboots int8 NOT NULL DEFAULT 0`,
  ],
}
