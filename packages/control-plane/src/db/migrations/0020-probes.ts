import type { Migration } from './migration.ts'

/** Probes on sleds; their interfaces and addresses share tables with those of instances, so that none is used twice. */
export const probes: Migration = {
  id: '0020-probes',
  statements: [
    `CREATE TABLE probe (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL,
      description text NOT NULL, project_id uuid NOT NULL, sled_id uuid NOT NULL)`,
    // Names are unique across all projects (control plane reference, A 15).
    `CREATE UNIQUE INDEX probe_name_key ON probe (name) WHERE time_deleted IS NULL`,
    `CREATE INDEX probe_project_name ON probe (project_id, name) WHERE time_deleted IS NULL`,
    `CREATE INDEX probe_project_id ON probe (project_id, id) WHERE time_deleted IS NULL`,
    `ALTER TABLE network_interface ALTER COLUMN instance_id DROP NOT NULL`,
    `ALTER TABLE network_interface ADD COLUMN probe_id uuid`,
    `CREATE UNIQUE INDEX network_interface_probe_key ON network_interface (probe_id) WHERE time_deleted IS NULL`,
    `ALTER TABLE external_ip ADD COLUMN probe_id uuid`,
    `CREATE UNIQUE INDEX external_ip_probe_key ON external_ip (probe_id) WHERE time_deleted IS NULL`,
    `CREATE TABLE simulated_probe (id uuid PRIMARY KEY, sled_id uuid NOT NULL, ip text NOT NULL,
      external_ip text NOT NULL, time_started timestamptz NOT NULL)`,
  ],
}
