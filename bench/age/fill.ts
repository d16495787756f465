import { type Kysely, sql } from 'kysely'
import { defaultSettings } from '../../packages/control-plane/src/settings.ts'

/** What an installation keeps by default; rows are spread evenly over it. */
export const keptDays = 365
/** Changes of one object in its life. */
const perObject = 10

const tables = ['change', 'audit'] as const

/**
 * Adds `count` published changes and as many audit records of the requests that made them. Indexes are built
 * afterwards, which takes a fraction of keeping them up to date.
 */
export async function age(db: Kysely<unknown>, count: number): Promise<void> {
  const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename IN (${sql.join(tables)}) AND indexname NOT LIKE '%_pkey'`.execute(db)
  for (const { name } of rows) await run(`DROP INDEX ${name}`)
  const portion = 250_000
  for (let from = 1; from <= count; from += portion)
    for (const text of records(from, Math.min(count, from + portion - 1), count)) await run(text)
  // What the hourly retention has passed in a year: otherwise the first one walks all of it.
  const { change_days } = defaultSettings.retention
  const forgotten = Math.floor((count * (keptDays - change_days)) / keptDays)
  await run(`INSERT INTO counter (name, value) VALUES ('change', ${count}), ('change-forgotten', ${forgotten})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
  for (const { definition } of rows) await run(definition)
  for (const table of tables) await run(`VACUUM (ANALYZE) ${table}`)
}

function records(from: number, to: number, count: number): string[] {
  const time = `now() - ((${count} - n) * ${keptDays * 86_400}.0 / ${count}) * interval '1 second' - interval '1 hour'`
  const object = `md5('object' || n / ${perObject})::uuid`
  const state = `jsonb_build_object('id', ${object}, 'name', 'machine-' || n / ${perObject}, 'generation', n, 'ncpus', 2,
    'memory', 4294967296, 'hostname', 'machine', 'run_state', 'running', 'description', 'one of many')`
  const actor = `jsonb_build_object('kind', 'silo_user', 'silo_user_id', u.id, 'silo_id', u.silo_id)`
  const operation = `(ARRAY['instance_create', 'instance_start', 'instance_stop', 'disk_create', 'vpc_update'])[n % 5 + 1]`
  const who = `(SELECT id, silo_id FROM silo_user WHERE time_deleted IS NULL ORDER BY external_id LIMIT 1) u`
  const where = `(SELECT id FROM project WHERE name = 'playground' LIMIT 1) p`
  const id = `md5('change' || n)::uuid`
  const numbers = `generate_series(${from}::int8, ${to}::int8) n`
  // Rows that exist get numbers behind the new ones, which are older.
  const made = from === 1 ? [`UPDATE change SET seq = -seq WHERE seq > 0`] : []
  return [
    ...made,
    `INSERT INTO change (id, seq, transaction_id, position, time, silo_id, project_id, kind, op, object_id, name,
        generation, before, after, actor, request_id, operation, action, entry_id)
      SELECT ${id}, n, gen_random_uuid(), 0, ${time}, u.silo_id, p.id, 'instance', 'update', ${object},
        'machine-' || n / ${perObject}, n, ${state}, ${state}, ${actor}, 'request-' || n, ${operation},
        'edited', ${id}
      FROM ${numbers}, ${who}, ${where}`,
    `INSERT INTO audit (id, time_started, time_completed, request_id, request_uri, operation_id, source_ip, user_agent,
        actor, auth_method, http_status_code, silo_user_id, silo_id, object_kind, object_id, object_name, project_id)
      SELECT gen_random_uuid(), ${time}, ${time}, 'request-' || n, '/v1/instances?project=playground', ${operation},
        '192.0.2.1', 'a browser', ${actor}, 'session_cookie', CASE WHEN n % 100 = 0 THEN 404 ELSE 201 END, u.id, u.silo_id,
        'instance', ${object}, 'machine-' || n / ${perObject}, p.id
      FROM ${numbers}, ${who}, ${where}`,
  ]
}
