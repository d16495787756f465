import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Adds published changes, audit records and finished jobs, all of the same age. */
export async function addOldRows(db: Kysely<Tables>, count: number, age = '500 days'): Promise<void> {
  const when = sql`(now() - ${age}::interval)`
  await sql`INSERT INTO change (id, seq, transaction_id, position, time, kind, op, object_id, generation, actor,
      request_id, operation)
    SELECT gen_random_uuid(), coalesce((SELECT max(seq) FROM change), 0) + n, gen_random_uuid(), 0, ${when}, 'disk',
      'create', gen_random_uuid(), 1, '{"kind":"system"}', CASE WHEN n % 2 = 0 THEN n::text END, 'old'
    FROM generate_series(1, ${count}::int) n`.execute(db)
  await sql`INSERT INTO audit (id, time_started, time_completed, request_id, request_uri, operation_id, source_ip, actor,
      http_status_code)
    SELECT gen_random_uuid(), ${when}, ${when}, n::text, '/v1/disks', 'old', '192.0.2.1', '{"kind":"system"}', 201
    FROM generate_series(1, ${count}::int) n`.execute(db)
  await sql`INSERT INTO job (id, kind, args, state, run_at, time_created, time_done)
    SELECT gen_random_uuid(), 'old', '{}', 'done', ${when}, ${when}, ${when}
    FROM generate_series(1, ${count}::int) n`.execute(db)
}
