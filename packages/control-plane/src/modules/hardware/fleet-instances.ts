import type { FleetInstance } from '@gantry/api/system/fleet-instance'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Listed } from '../../db/listed.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import type { Input } from '../../pipeline/implement.ts'

interface Whereabouts {
  id: string
  silo_name: string
  project_name: string
  sled: FleetInstance['sled']
}

/** Instances of all silos, for those who operate the fleet. */
export async function listFleetInstances(
  cx: Cx,
  { query }: Input<'systemInstanceList'>,
): Promise<{ items: FleetInstance[]; next_page: string | null }> {
  const { items, next_page } = await filteredPage<'instance', typeof query, Listed<'instance'>>(
    cx,
    ops.systemInstanceList,
    'fleet-instance',
    query,
    (row) => row,
  )
  const { rows } = await sql<Whereabouts>`
    SELECT t.id, s.name AS silo_name, p.name AS project_name,
      (SELECT json_build_object('id', d.id, 'serial', d.serial) FROM vmm m JOIN sled d ON d.id = m.sled_id
        WHERE m.instance_id = t.id AND m.time_gone IS NULL LIMIT 1) AS sled
    FROM instance t JOIN project p ON p.id = t.project_id JOIN silo s ON s.id = p.silo_id
    WHERE t.id = ANY (${items.map(({ id }) => id)}::uuid[])`.execute(cx.db)
  const known = new Map(rows.map((row) => [row.id, row]))
  return {
    items: items.map((row) => ({
      id: row.id,
      name: row.name,
      silo_name: known.get(row.id)?.silo_name ?? '',
      project_name: known.get(row.id)?.project_name ?? '',
      state: row.run_state,
      ncpus: row.ncpus,
      memory: row.memory,
      sled: known.get(row.id)?.sled ?? null,
      time_created: row.time_created.toISOString(),
      time_modified: row.time_modified.toISOString(),
    })),
    next_page,
  }
}
