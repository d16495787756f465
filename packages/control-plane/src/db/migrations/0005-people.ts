import type { Migration } from './migration.ts'

const named = `id uuid PRIMARY KEY, time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL,
  time_deleted timestamptz, name text COLLATE "C" NOT NULL, description text NOT NULL`

/**
 * Built-in users that represent the system, with the same name and id in every installation (control plane
 * reference, A 7).
 */
const builtIn = [
  ['000000000001', 'db-init', 'Writes the first contents of an empty database'],
  ['000000000002', 'internal-api', 'Acts for the parts of the system among each other'],
  ['000000000003', 'external-authn', 'Finds out who is signing in'],
  ['000000004ead', 'internal-read', 'Reads for the system what no person asked for'],
  ['000000003a8a', 'saga-recovery', 'Goes on with work that a restart interrupted'],
  ['00000000bac3', 'service-balancer', 'Spreads the work of the system over its parts'],
]

export const people: Migration = {
  id: '0005-people',
  statements: [
    `CREATE TABLE policy (resource_type text NOT NULL, resource_id uuid NOT NULL, generation int8 NOT NULL,
      PRIMARY KEY (resource_type, resource_id))`,
    `ALTER TABLE silo_quotas ADD COLUMN generation int8 NOT NULL DEFAULT 1`,
    `CREATE TABLE certificate (${named}, generation int8 NOT NULL DEFAULT 1, silo_id uuid NOT NULL, service text NOT NULL,
      cert text NOT NULL)`,
    `CREATE UNIQUE INDEX certificate_name_key ON certificate (silo_id, name) WHERE time_deleted IS NULL`,
    `CREATE INDEX certificate_silo_id_id ON certificate (silo_id, id) WHERE time_deleted IS NULL`,
    `CREATE TABLE certificate_key (certificate_id uuid PRIMARY KEY, key text NOT NULL)`,
    `CREATE TABLE user_builtin (${named})`,
    `CREATE UNIQUE INDEX user_builtin_name_key ON user_builtin (name) WHERE time_deleted IS NULL`,
    ...builtIn.map(
      ([
        id,
        name,
        description,
      ]) => `INSERT INTO user_builtin (id, time_created, time_modified, name, description)
        VALUES ('001de000-05e4-4000-8000-${id}', now(), now(), '${name}', '${description}')`,
    ),
  ],
}
