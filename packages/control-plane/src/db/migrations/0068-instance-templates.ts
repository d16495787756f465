import type { Migration } from './migration.ts'

/** Templates of instances, of a project or of the silo. User data may hold secrets, and hence has a column of its own. */
export const instanceTemplates: Migration = {
  id: '0068-instance-templates',
  statements: [
    `CREATE TABLE instance_template (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      name text COLLATE "C" NOT NULL, description text NOT NULL, silo_id uuid NOT NULL, project_id uuid,
      settings jsonb NOT NULL, user_data text, fixed jsonb NOT NULL)`,
    `CREATE UNIQUE INDEX instance_template_name_key ON instance_template (project_id, name)
      WHERE time_deleted IS NULL AND project_id IS NOT NULL`,
    `CREATE UNIQUE INDEX instance_template_silo_name_key ON instance_template (silo_id, name)
      WHERE time_deleted IS NULL AND project_id IS NULL`,
    `CREATE INDEX instance_template_deleted ON instance_template (time_deleted) WHERE time_deleted IS NOT NULL`,
  ],
}
