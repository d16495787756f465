import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/**
 * Adds machines whose boot, or stop, is over now, spread over new projects and the sleds that exist, with their
 * reservations and what they use of quotas and sleds.
 */
export async function addMachines(
  db: Kysely<Tables>,
  { count, projects, phase }: { count: number; projects: number; phase: 'booting' | 'stopping' },
): Promise<void> {
  const run_state = phase === 'booting' ? 'starting' : 'stopping'
  const prefix = `${phase}-`
  await sql`INSERT INTO project (id, time_created, time_modified, name, description, silo_id)
    SELECT gen_random_uuid(), now(), now(), ${prefix}::text || n, '', silo.id
    FROM generate_series(0, ${projects - 1}::int) n, (SELECT id FROM silo WHERE name = 'demo') silo`.execute(
    db,
  )
  await sql`INSERT INTO provisioning (id, kind) SELECT id, 'project' FROM project ON CONFLICT DO NOTHING`.execute(
    db,
  )
  await sql`INSERT INTO instance (id, time_created, time_modified, name, description, project_id, ncpus, memory, hostname,
      user_data, run_state, time_run_state_updated, intended_state, vmm_id)
    SELECT gen_random_uuid(), now(), now(), ${prefix}::text || n, '', p.id, 1, 1073741824, 'many', '', ${run_state}, now(),
      ${phase === 'booting' ? 'running' : 'stopped'}, gen_random_uuid()
    FROM generate_series(0, ${count - 1}::int) n JOIN project p ON p.name = ${prefix}::text || n % ${projects}::int`.execute(
    db,
  )
  const added = sql`instance i JOIN project p ON p.id = i.project_id AND p.name LIKE ${`${prefix}%`}`
  await sql`INSERT INTO vmm (id, instance_id, sled_id, ncpus, memory, time_created, time_started)
    SELECT i.vmm_id, i.id, sleds.ids[1 + (row_number() OVER (ORDER BY i.id)) % cardinality(sleds.ids)], 1, 1073741824, now(), now()
    FROM ${added}, (SELECT array_agg(sled_id) AS ids FROM sled_usage) sleds`.execute(db)
  await sql`INSERT INTO simulated_vm (id, sled_id, instance_id, phase, phase_since, due_at, by_guest)
    SELECT v.id, v.sled_id, v.instance_id, ${phase}, now() - interval '1 hour', now() - interval '1 minute', false
    FROM ${added} JOIN vmm v ON v.id = i.vmm_id`.execute(db)
  await sql`UPDATE sled_usage u SET threads = used.threads, memory = used.memory FROM (SELECT sled_id,
      sum(ncpus)::int8 AS threads, sum(memory)::int8 AS memory FROM vmm WHERE time_gone IS NULL GROUP BY sled_id) used
    WHERE used.sled_id = u.sled_id`.execute(db)
  await sql`UPDATE provisioning q SET cpus = used.cpus, memory = used.memory FROM (
      SELECT scope.id, sum(v.ncpus)::int8 AS cpus, sum(v.memory)::int8 AS memory
      FROM vmm v JOIN instance i ON i.id = v.instance_id JOIN project p ON p.id = i.project_id
      CROSS JOIN LATERAL (VALUES (p.id), (p.silo_id)) AS scope (id) WHERE v.time_gone IS NULL GROUP BY scope.id) used
    WHERE used.id = q.id`.execute(db)
}

/** What machines with a reservation use, and what sleds and quotas count; both must agree. */
export async function usageOf(
  db: Kysely<Tables>,
): Promise<{ reserved: number; onSleds: number; charged: number }> {
  const { rows } = await sql<{ reserved: number; onSleds: number; charged: number }>`SELECT
    (SELECT count(*)::int FROM vmm WHERE time_gone IS NULL) AS reserved,
    (SELECT sum(threads)::int FROM sled_usage) AS "onSleds",
    (SELECT sum(cpus)::int FROM provisioning WHERE kind = 'project') AS charged`.execute(db)
  const [usage] = rows
  if (!usage) throw new Error('one row was expected')
  return usage
}
