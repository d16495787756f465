import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'

/** Attachments of a pool to gateways, of one silo or of all, each with its project. */
async function attachments(tx: Change, poolId: string, siloId?: string) {
  const rows = tx.read
    .selectFrom('internet_gateway_ip_pool as attached')
    .innerJoin('internet_gateway', 'internet_gateway.id', 'attached.internet_gateway_id')
    .innerJoin('vpc', 'vpc.id', 'internet_gateway.vpc_id')
    .innerJoin('project', 'project.id', 'vpc.project_id')
    .selectAll('attached')
    .select(['project.silo_id', 'project.id as project_id'])
    .where('attached.ip_pool_id', '=', poolId)
    .where('attached.time_deleted', 'is', null)
    .orderBy('attached.id')
    .forUpdate('attached')
  return (siloId === undefined ? rows : rows.where('project.silo_id', '=', siloId)).execute()
}

/**
 * Detaches a pool from the gateways of one silo, or of all. Leaves the change in the last project's scope.
 */
export async function detachPool(tx: Change, poolId: string, siloId?: string): Promise<void> {
  for (const { silo_id, project_id, ...row } of await attachments(tx, poolId, siloId)) {
    tx.at({ silo_id, project_id })
    await tx.remove('internet_gateway_ip_pool', row)
  }
}

/**
 * Attaches a silo's new default pool to each gateway named `default` that has none of that name yet (control
 * plane reference, B 13.2). Leaves the change in the last project's scope.
 */
export async function attachToDefaultGateways(
  tx: Change,
  pool: Row<'ip_pool'>,
  siloId: string,
): Promise<void> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    SELECT g.id, v.project_id FROM internet_gateway g
    JOIN vpc v ON v.id = g.vpc_id AND v.time_deleted IS NULL
    JOIN project p ON p.id = v.project_id AND p.time_deleted IS NULL
    WHERE p.silo_id = ${siloId} AND g.name = 'default' AND g.time_deleted IS NULL
      AND NOT EXISTS (SELECT 1 FROM internet_gateway_ip_pool a
        WHERE a.internet_gateway_id = g.id AND a.ip_pool_id = ${pool.id} AND a.time_deleted IS NULL)
    ORDER BY g.id FOR UPDATE OF g`.execute(tx.plain)
  for (const { id, project_id } of rows) {
    tx.at({ silo_id: siloId, project_id })
    await tx.insert('internet_gateway_ip_pool', {
      internet_gateway_id: id,
      ip_pool_id: pool.id,
      name: 'default',
      description: 'Default internet gateway ip pool',
    })
  }
}
