import type { Migration } from './migration.ts'

/**
 * What is used, counted from the change records and kept when they are gone. A unit is a project, or a silo for its
 * images; each is counted day by day, and its row says how far it is. Amounts are units times seconds.
 */
export const usage: Migration = {
  id: '0072-usage',
  statements: [
    `CREATE TABLE usage_unit (id uuid PRIMARY KEY, silo_id uuid NOT NULL, name text NOT NULL,
      first_day text COLLATE "C" NOT NULL, day text COLLATE "C" NOT NULL)`,
    `CREATE INDEX usage_unit_silo ON usage_unit (silo_id)`,
    `CREATE INDEX usage_unit_day ON usage_unit (day)`,
    `CREATE TABLE usage_level (unit_id uuid NOT NULL, place_id uuid NOT NULL, meter text NOT NULL,
      tag_key text COLLATE "C" NOT NULL, tag text COLLATE "C" NOT NULL, amount numeric NOT NULL,
      PRIMARY KEY (unit_id, tag_key, tag, place_id, meter))`,
    `CREATE TABLE usage_month (silo_id uuid NOT NULL, place_id uuid NOT NULL, month text COLLATE "C" NOT NULL,
      tag_key text COLLATE "C" NOT NULL, tag text COLLATE "C" NOT NULL, meter text NOT NULL, amount numeric NOT NULL,
      PRIMARY KEY (place_id, month, tag_key, tag, meter))`,
    `CREATE INDEX usage_month_silo ON usage_month (silo_id, month, tag_key)`,
    `CREATE TABLE usage_day (silo_id uuid NOT NULL, place_id uuid NOT NULL, day text COLLATE "C" NOT NULL,
      meter text NOT NULL, amount numeric NOT NULL, PRIMARY KEY (place_id, day, meter))`,
    `CREATE TABLE usage_silo_day (silo_id uuid NOT NULL, day text COLLATE "C" NOT NULL, meter text NOT NULL,
      amount numeric NOT NULL, PRIMARY KEY (day, silo_id, meter))`,
    `CREATE TABLE usage_price (id int4 PRIMARY KEY CHECK (id = 1), currency text NOT NULL, prices jsonb NOT NULL)`,
    `CREATE INDEX change_used ON change (project_id, time)
      WHERE kind IN ('instance', 'disk', 'snapshot', 'floating-ip')`,
    `CREATE INDEX change_used_image ON change (silo_id, time) WHERE kind = 'image'`,
  ],
}
