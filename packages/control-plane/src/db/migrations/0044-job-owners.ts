import type { Migration } from './migration.ts'

/** Who causes a job, and whether it takes long: such jobs are shared out among those who cause them. */
export const jobOwners: Migration = {
  id: '0044-job-owners',
  statements: [
    `ALTER TABLE job ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '', ADD COLUMN is_long bool NOT NULL DEFAULT false`,
    `UPDATE job SET is_long = true WHERE state = 'pending'
      AND kind IN ('disk-content', 'image-digest', 'image-upload-completion', 'image-upload-conversion', 'snapshot-content',
        'update-upload-verification')`,
    `DROP INDEX job_due`,
    `CREATE INDEX job_due ON job (run_at) WHERE state = 'pending' AND NOT is_long`,
    `CREATE INDEX job_long ON job (owner, run_at) WHERE state = 'pending' AND is_long`,
  ],
}
