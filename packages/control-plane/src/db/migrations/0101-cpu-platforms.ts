import type { Migration } from './migration.ts'

/** Sleds have processors of a family, which only those of a simulated rack are known of, and instances may ask for one. */
export const cpuPlatformsOfInstances: Migration = {
  id: '0101-cpu-platforms',
  statements: [
    'ALTER TABLE instance ADD COLUMN cpu_platform text',
    'ALTER TABLE sled ADD COLUMN cpu_family text',
    // As new sleds of a simulated rack have it.
    `UPDATE sled SET cpu_family = CASE WHEN cubby % 4 = 3 THEN 'amd_turin' ELSE 'amd_milan' END WHERE engine IS NULL`,
  ],
}
