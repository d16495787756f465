import type { Migration } from './migration.ts'

/**
 * Samples, many to a row (`modules/metrics/store/database/rows.ts`). The column `lane` is the number of an object, and
 * `slot` that of a timeseries of it; the head holds the newest rounds, by shards of objects (`chunk`); a block holds one
 * object's samples in a window of time at one resolution (`tier`). Provisioned amounts have a row for each change,
 * because they seldom change and are paged by time.
 */
export const metrics: Migration = {
  id: '0015-metrics',
  statements: [
    `CREATE TABLE metric_lane (id int8 PRIMARY KEY, source text NOT NULL UNIQUE,
      last_at timestamptz NOT NULL)`,
    `CREATE INDEX metric_lane_last_at ON metric_lane (last_at)`,
    `CREATE TABLE timeseries (lane int8 NOT NULL, slot int4 NOT NULL, name text NOT NULL, fields jsonb NOT NULL,
      PRIMARY KEY (lane, slot))`,
    `CREATE INDEX timeseries_by_name ON timeseries (name, lane)`,
    `CREATE INDEX timeseries_by_fields ON timeseries USING gin (fields jsonb_path_ops)`,
    `CREATE TABLE timeseries_name (name text PRIMARY KEY, time_created timestamptz NOT NULL)`,
    `CREATE TABLE metric_head (chunk int8 NOT NULL, at timestamptz NOT NULL, data bytea NOT NULL,
      PRIMARY KEY (chunk, at))`,
    `CREATE TABLE metric_block (lane int8 NOT NULL, tier int2 NOT NULL, starts timestamptz NOT NULL,
      data bytea NOT NULL, PRIMARY KEY (lane, tier, starts))`,
    `CREATE INDEX metric_block_starts ON metric_block (tier, starts)`,
    `ALTER TABLE metric_head ALTER COLUMN data SET STORAGE EXTERNAL`,
    `ALTER TABLE metric_block ALTER COLUMN data SET STORAGE EXTERNAL`,
    `CREATE TABLE metric_progress (name text PRIMARY KEY, until timestamptz NOT NULL, holder uuid)`,
    `CREATE TABLE provisioned (id uuid NOT NULL, metric text NOT NULL, time timestamptz NOT NULL,
      value int8 NOT NULL, PRIMARY KEY (id, metric, time))`,
    `CREATE INDEX provisioned_by_time ON provisioned (time)`,
  ],
}
