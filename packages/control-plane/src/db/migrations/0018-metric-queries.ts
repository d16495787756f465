import type { Migration } from './migration.ts'

/** Saved queries of projects and of the fleet, and the watch over those with a threshold. */
export const metricQueries: Migration = {
  id: '0018-metric-queries',
  statements: [
    `CREATE TABLE metric_query (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
      time_modified timestamptz NOT NULL, time_deleted timestamptz, name text COLLATE "C" NOT NULL,
      description text NOT NULL, silo_id uuid, project_id uuid, query text NOT NULL, threshold jsonb)`,
    `CREATE UNIQUE INDEX metric_query_name_key ON metric_query (project_id, name)
      WHERE time_deleted IS NULL AND project_id IS NOT NULL`,
    `CREATE UNIQUE INDEX metric_query_fleet_name_key ON metric_query (name)
      WHERE time_deleted IS NULL AND project_id IS NULL`,
    `CREATE TABLE metric_watch (metric_query_id uuid PRIMARY KEY, state text NOT NULL, since timestamptz NOT NULL,
      evaluated timestamptz, due timestamptz NOT NULL, lease_until timestamptz, breaches jsonb NOT NULL, problem text)`,
    `CREATE INDEX metric_watch_due ON metric_watch (due)`,
    `CREATE TABLE metric_watch_event (id uuid PRIMARY KEY, metric_query_id uuid NOT NULL, time timestamptz NOT NULL,
      state text NOT NULL, breaching int4 NOT NULL, breaches jsonb NOT NULL, problem text)`,
    `CREATE INDEX metric_watch_event_query ON metric_watch_event (metric_query_id, time, id)`,
  ],
}
