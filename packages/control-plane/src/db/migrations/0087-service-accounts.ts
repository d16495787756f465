import type { Migration } from './migration.ts'

/** Users without a person. What authenticates a request reads only the user, hence what it needs stands there. */
export const serviceAccounts: Migration = {
  id: '0087-service-accounts',
  statements: [
    `ALTER TABLE silo_user ADD COLUMN is_service_account bool NOT NULL DEFAULT false`,
    `ALTER TABLE silo_user ADD COLUMN within_project_id uuid`,
    `CREATE TABLE service_account (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL,
      description text NOT NULL, silo_id uuid NOT NULL, project_id uuid)`,
    `CREATE UNIQUE INDEX service_account_name_key ON service_account (project_id, name)
      WHERE time_deleted IS NULL AND project_id IS NOT NULL`,
    `CREATE UNIQUE INDEX service_account_silo_name_key ON service_account (silo_id, name)
      WHERE time_deleted IS NULL AND project_id IS NULL`,
    `CREATE INDEX service_account_deleted ON service_account (time_deleted) WHERE time_deleted IS NOT NULL`,
  ],
}
