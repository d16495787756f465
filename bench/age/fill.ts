import { type Kysely, sql } from 'kysely'
import { defaultSettings } from '../../packages/control-plane/src/settings.ts'

/** What an installation keeps by default; rows are spread evenly over it. */
export const keptDays = 365
/** Changes of one object in its life. */
const perObject = 10
/** Changes of one request: what it was about, and what changed with it. */
const perRequest = 2

const tables = ['change', 'audit'] as const

/**
 * Adds `count` published changes and as many audit records, both tables at once where the database has several
 * connections. Indexes are built afterwards, which takes a fraction of keeping them up to date.
 */
export async function age(db: Kysely<unknown>, count: number): Promise<void> {
  const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
  // Rows that exist get numbers behind the new ones, which are older.
  await run(`UPDATE change SET seq = -seq WHERE seq > 0`)
  await Promise.all(tables.map((table) => fillTable(db, table, count)))
  // What the hourly retention has passed in a year: otherwise the first one walks all of it.
  const { change_days } = defaultSettings.retention
  const forgotten = Math.floor((count * (keptDays - change_days)) / keptDays)
  await run(`INSERT INTO counter (name, value) VALUES ('change', ${count}), ('change-forgotten', ${forgotten})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
}

/** Rows that one statement inserts. */
const portion = 250_000

const fillTable = (db: Kysely<unknown>, table: (typeof tables)[number], count: number): Promise<void> =>
  db.connection().execute(async (one) => {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(one)
    const { rows } = await sql<{ name: string; definition: string }>`
      SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = ${table} AND indexname NOT LIKE '%_pkey'`.execute(one)
    for (const { name } of rows) await run(`DROP INDEX ${name}`)
    // The index of the primary key would be kept up to date in random order.
    await run(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`)
    for (let from = 1; from <= count; from += portion)
      await run(records(table, from, Math.min(count, from + portion - 1), count))
    // The defaults are for machines of long ago.
    for (const memory of ['maintenance_work_mem', 'work_mem']) await run(`SET ${memory} = '512MB'`)
    await run(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`)
    for (const { definition } of rows) await run(definition)
    await run('RESET ALL')
    await run(`VACUUM (ANALYZE) ${table}`)
  })

/**
 * Every second change is a part of the request before it; one request of a hundred was refused. All are in one project,
 * by one user.
 */
function records(table: (typeof tables)[number], from: number, to: number, count: number): string {
  const time = `now() - ((${count} - n) * ${keptDays * 86_400}.0 / ${count}) * interval '1 second' - interval '1 hour'`
  const operation = `(ARRAY['instance_create', 'instance_start', 'instance_stop', 'disk_create', 'vpc_update'])[n % 5 + 1]`
  const uuid = (what: string, number: string) =>
    `('${what}-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
  const request = `n - (n - 1) % ${perRequest}`
  const state = (
    ncpus: string,
  ) => `('{"id": "' || object || '", "name": "machine-' || n / ${perObject} || '", "generation": '
    || n || ', "ncpus": ' || ${ncpus} || ', "memory": 4294967296, "hostname": "machine", "run_state": "stopped",
    "description": "one of many", "project_id": "' || p.id || '", "time_created": "2026-01-01T00:00:00.000Z"}')::jsonb`
  const sources = `FROM (SELECT n, md5((n / ${perObject})::text)::uuid AS object, ${time} AS time
      FROM generate_series(${from}::int8, ${to}::int8) n) made,
    (SELECT id, silo_id, jsonb_build_object('kind', 'silo_user', 'silo_user_id', id, 'silo_id', silo_id) AS actor
      FROM silo_user WHERE time_deleted IS NULL ORDER BY external_id LIMIT 1) u,
    (SELECT id FROM project WHERE name = 'playground' LIMIT 1) p`
  return table === 'change'
    ? `INSERT INTO change (id, seq, transaction_id, position, time, silo_id, project_id, kind, op, object_id, name,
        generation, before, after, actor, request_id, operation, action, entry_id, entry_place)
      SELECT ${uuid('0a9e0000', 'n')}, n, ${uuid('0a9e0001', request)}, (n - 1) % ${perRequest}, time, u.silo_id, p.id,
        'instance', 'update', object, 'machine-' || n / ${perObject}, n, ${state('2')}, ${state('2 + n % 3')}, u.actor,
        'request-' || ${request}, ${operation}, CASE WHEN n = ${request} THEN 'edited' END, ${uuid('0a9e0000', request)},
        (n - 1) % ${perRequest}
      ${sources}`
    : `INSERT INTO audit (id, time_started, time_completed, request_id, request_uri, operation_id, source_ip, user_agent,
        actor, auth_method, http_status_code, silo_user_id, silo_id, object_kind, object_id, object_name, project_id)
      SELECT ${uuid('0a9e0002', 'n')}, time, time + interval '20 milliseconds', 'request-' || n,
        '/v1/instances?project=playground', ${operation}, '192.0.2.1', 'a browser', u.actor, 'session_cookie',
        CASE WHEN n % 100 = 0 THEN 404 ELSE 201 END, u.id, u.silo_id, 'instance', object,
        'machine-' || n / ${perObject}, p.id
      ${sources}`
}
