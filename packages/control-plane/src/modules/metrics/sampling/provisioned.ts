import { type ProvisioningMetric, provisioningMetrics } from '@gantry/api/metrics/metric.rules'
import { sql } from 'kysely'
import { fleetId } from '@gantry/control-plane/authz/actor'
import type { Db } from '@gantry/control-plane/db/database'
import { rowsPerStatement } from '../store/database/rows.ts'

const columnOf = {
  cpus_provisioned: 'cpus',
  ram_provisioned: 'memory',
  virtual_disk_space_provisioned: 'storage',
} as const satisfies Record<ProvisioningMetric, string>

interface Provisioned {
  id: string
  metric: ProvisioningMetric
  value: number
}

/**
 * Records changes since the last check, for every project and silo and for the fleet. A check costs one statement and
 * the newest row of each; changes between two checks appear as one.
 */
export async function writeProvisioned(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<Provisioned>`
    SELECT now.id, m.metric, m.value FROM (
      SELECT id, cpus, memory, storage FROM provisioning
      UNION ALL SELECT ${fleetId}::uuid, coalesce(sum(cpus), 0)::int8, coalesce(sum(memory), 0)::int8,
        coalesce(sum(storage), 0)::int8 FROM provisioning WHERE kind = 'silo') AS now
    CROSS JOIN LATERAL (VALUES ${sql.join(
      provisioningMetrics.map((metric) => sql`(${metric}::text, now.${sql.ref(columnOf[metric])})`),
    )}) AS m (metric, value)
    LEFT JOIN LATERAL (SELECT value FROM provisioned p WHERE p.id = now.id AND p.metric = m.metric
      ORDER BY time DESC LIMIT 1) AS last ON true
    WHERE last.value IS DISTINCT FROM m.value`.execute(db)
  for (let from = 0; from < rows.length; from += 10 * rowsPerStatement)
    await db
      .insertInto('provisioned')
      .values(rows.slice(from, from + 10 * rowsPerStatement).map((row) => ({ ...row, time: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  if (rows.length > 0)
    await db
      .insertInto('timeseries_name')
      .values(
        provisioningMetrics.map((metric) => ({ name: `collection_target:${metric}`, time_created: now })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return rows.length
}

/**
 * Reconstructs provisioning from before this record existed: virtual machines from their reservations, disks and
 * snapshots from their creation times, to the minute.
 */
export async function reconstructProvisioned(db: Db): Promise<void> {
  await sql`
    INSERT INTO provisioned (id, metric, time, value)
    SELECT id, metric, time, (sum(delta) OVER (PARTITION BY id, metric ORDER BY time))::int8 FROM (
      SELECT scope.id, e.metric, date_trunc('minute', e.time) AS time, sum(e.delta) AS delta FROM (
        SELECT i.project_id, v.time_created AS time, 'cpus_provisioned' AS metric, v.ncpus::int8 AS delta
          FROM vmm v JOIN instance i ON i.id = v.instance_id
        UNION ALL SELECT i.project_id, v.time_gone, 'cpus_provisioned', -v.ncpus::int8
          FROM vmm v JOIN instance i ON i.id = v.instance_id WHERE v.time_gone IS NOT NULL
        UNION ALL SELECT i.project_id, v.time_created, 'ram_provisioned', v.memory
          FROM vmm v JOIN instance i ON i.id = v.instance_id
        UNION ALL SELECT i.project_id, v.time_gone, 'ram_provisioned', -v.memory
          FROM vmm v JOIN instance i ON i.id = v.instance_id WHERE v.time_gone IS NOT NULL
        UNION ALL SELECT project_id, time_created, 'virtual_disk_space_provisioned', size FROM disk
        UNION ALL SELECT project_id, time_deleted, 'virtual_disk_space_provisioned', -size FROM disk
          WHERE time_deleted IS NOT NULL
        UNION ALL SELECT project_id, time_created, 'virtual_disk_space_provisioned', size FROM snapshot
        UNION ALL SELECT project_id, time_deleted, 'virtual_disk_space_provisioned', -size FROM snapshot
          WHERE time_deleted IS NOT NULL) AS e
      JOIN project p ON p.id = e.project_id
      CROSS JOIN LATERAL (VALUES (p.id), (p.silo_id), (${fleetId}::uuid)) AS scope (id)
      GROUP BY scope.id, e.metric, date_trunc('minute', e.time)) AS steps
    ON CONFLICT DO NOTHING`.execute(db)
}

/** Deletes old rows except the newest of each project and silo that exists, because a chart needs its left edge. */
export async function forgetProvisioned(db: Db, before: Date): Promise<void> {
  await sql`
    DELETE FROM provisioned old WHERE time < ${before} AND (EXISTS (
      SELECT FROM provisioned newer
      WHERE newer.id = old.id AND newer.metric = old.metric AND newer.time > old.time AND newer.time <= ${before})
      OR (id <> ${fleetId} AND NOT EXISTS (SELECT FROM provisioning p WHERE p.id = old.id)))`.execute(db)
}
