import { sql } from 'kysely'
import { appliedMigrations } from '../../db/migrate.ts'
import type { Cx } from '../../context/cx.ts'
import { issuesWithoutNames } from '../system/issues.ts'
import { safeRecord } from './log-records.ts'

/** A file of a bundle. None holds a secret, a name or text that a user chose, an address of one, or user data. */
interface Part {
  path: string
  collect: (cx: Cx) => Promise<string>
}

/** Rows of one table in a bundle, the newest. */
const maxRows = 2000
const hoursOfRequests = 24

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const bundleParts: readonly Part[] = [
  {
    path: 'versions.json',
    collect: async (cx) => {
      const { rows } = await sql<{ version: string }>`SELECT version() AS version`.execute(cx.db)
      return json({
        ...cx.services.diagnosis?.versions,
        database: rows[0]?.version,
        migrations: await appliedMigrations(cx.services.db),
      })
    },
  },
  {
    path: 'configuration.json',
    collect: async ({ services: { settings, dnsZone, secure, origins } }) =>
      json({ settings, dns_zone: dnsZone, secure, origins }),
  },
  {
    path: 'health/host.json',
    collect: async (cx) => json((await cx.services.diagnosis?.checks()) ?? {}),
  },
  {
    path: 'health/issues.json',
    collect: async (cx) => json(await issuesWithoutNames(cx)),
  },
  {
    path: 'health/capacity.json',
    collect: async (cx) => {
      const instances = await counts(
        cx,
        sql`SELECT run_state AS name, count(*)::int FROM instance
        WHERE time_deleted IS NULL GROUP BY 1 ORDER BY 1`,
      )
      const disks = await counts(
        cx,
        sql`SELECT state AS name, count(*)::int FROM disk
        WHERE time_deleted IS NULL GROUP BY 1 ORDER BY 1`,
      )
      const sleds = await rowsOf(
        cx,
        sql`SELECT s.id, s.usable_hardware_threads, s.usable_physical_ram,
          s.reservoir_size, s.is_provisionable, u.threads AS used_threads, u.memory AS used_memory
        FROM sled s LEFT JOIN sled_usage u ON u.sled_id = s.id WHERE s.time_deleted IS NULL
        ORDER BY s.cubby LIMIT ${maxRows}`,
      )
      const quotas = await rowsOf(
        cx,
        sql`SELECT q.silo_id, q.cpus, q.memory, q.storage, p.cpus AS used_cpus,
          p.memory AS used_memory, p.storage AS used_storage
        FROM silo_quotas q JOIN provisioning p ON p.id = q.silo_id ORDER BY q.silo_id LIMIT ${maxRows}`,
      )
      return json({ instances, disks, sleds, quotas })
    },
  },
  {
    path: 'health/database.json',
    collect: async (cx) =>
      json(
        await rowsOf(
          cx,
          sql`SELECT c.relname AS table, c.reltuples::float8 AS estimated_rows,
            pg_total_relation_size(c.oid)::float8 AS bytes FROM pg_class c
          WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1 LIMIT ${maxRows}`,
        ),
      ),
  },
  {
    path: 'hardware.json',
    collect: async (cx) =>
      json({
        sleds: await rowsOf(
          cx,
          sql`SELECT id, rack_id, cubby, part, serial, revision, policy, state, time_created
          FROM sled WHERE time_deleted IS NULL ORDER BY cubby LIMIT ${maxRows}`,
        ),
        disks: await rowsOf(
          cx,
          sql`SELECT id, sled_id, vendor, serial, model, form_factor, policy, state
          FROM physical_disk WHERE time_deleted IS NULL ORDER BY id LIMIT ${maxRows}`,
        ),
        switches: await rowsOf(
          cx,
          sql`SELECT id, rack_id, part, serial, revision
          FROM switch WHERE time_deleted IS NULL ORDER BY id LIMIT ${maxRows}`,
        ),
        drains: await rowsOf(
          cx,
          sql`SELECT id, sled_id, mode, state, time_created, time_ended
          FROM sled_drain ORDER BY time_created DESC LIMIT ${maxRows}`,
        ),
      }),
  },
  {
    path: 'jobs.json',
    // Arguments and messages of failures may quote names.
    collect: async (cx) =>
      json(
        await rowsOf(
          cx,
          sql`SELECT id, kind, state, attempts, run_at, lease_until, time_created, time_done,
            failure ->> 'code' AS failure_code FROM job
          ORDER BY (state = 'done'), time_created DESC LIMIT ${maxRows}`,
        ),
      ),
  },
  {
    path: 'faults.json',
    collect: async (cx) =>
      json(
        await rowsOf(
          cx,
          sql`SELECT id, kind, instance_id, sled_id, time_created, time_ended FROM fault
          ORDER BY time_created DESC LIMIT ${maxRows}`,
        ),
      ),
  },
  {
    path: 'requests.json',
    collect: async (cx) => {
      const since = new Date(cx.now().getTime() - hoursOfRequests * 3_600_000)
      return json({
        since: since.toISOString(),
        operations: await rowsOf(
          cx,
          sql`SELECT operation_id, http_status_code, count(*)::int AS count FROM audit
          WHERE time_completed >= ${since} GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${maxRows}`,
        ),
      })
    },
  },
  {
    path: 'logs/server.jsonl',
    collect: async ({ services }) =>
      (services.diagnosis?.logged() ?? []).map((line) => `${safeRecord(line) ?? '{}'}\n`).join(''),
  },
]

type Query = ReturnType<typeof sql>

const rowsOf = async (cx: Cx, query: Query): Promise<unknown[]> => (await query.execute(cx.db)).rows

async function counts(cx: Cx, query: Query): Promise<Record<string, number>> {
  const rows = (await rowsOf(cx, query)) as { name: string; count: number }[]
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** Notes for the recipient of a bundle. */
export const manifestOf = (bundle: { id: string; time_created: Date }, paths: readonly string[]): string =>
  json({
    id: bundle.id,
    time_created: bundle.time_created.toISOString(),
    files: paths,
    left_out:
      'Secrets; names, descriptions and addresses of users; names of their resources; contents of disks; texts of errors.',
    rows_at_most: maxRows,
    log: 'The newest records of the process that collected the bundle, since its start.',
  })
