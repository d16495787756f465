import type { Migration } from './migration.ts'

/** Views of lists that are shared in a project or in the silo, and what each user chose of them. */
export const sharedViews: Migration = {
  id: '0060-shared-views',
  statements: [
    `CREATE TABLE shared_view (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL,
      silo_id uuid NOT NULL, project_id uuid, shared_by uuid NOT NULL, list text NOT NULL, filter text NOT NULL,
      sort text NOT NULL, columns jsonb NOT NULL)`,
    `CREATE UNIQUE INDEX shared_view_name_key ON shared_view (project_id, list, lower(name))
      WHERE time_deleted IS NULL AND project_id IS NOT NULL`,
    `CREATE UNIQUE INDEX shared_view_silo_name_key ON shared_view (silo_id, list, lower(name))
      WHERE time_deleted IS NULL AND project_id IS NULL`,
    `CREATE INDEX shared_view_deleted ON shared_view (time_deleted) WHERE time_deleted IS NOT NULL`,
    `CREATE TABLE shared_view_choice (silo_user_id uuid NOT NULL, shared_view_id uuid NOT NULL, position int4 NOT NULL,
      is_pinned bool NOT NULL, is_default bool NOT NULL, PRIMARY KEY (silo_user_id, shared_view_id))`,
  ],
}
